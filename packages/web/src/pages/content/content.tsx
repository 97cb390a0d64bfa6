import { Route, Switch } from 'wouter-preact';
import { NotFound } from '../../frame/not-found.tsx';
import { For } from '../../ui/page.tsx';
import { CalendarPage } from './calendar-page.tsx';
import { GroupPage } from './group-page.tsx';
import { LibraryPage } from './library-page.tsx';
import { NewPostPage } from './new-post-page.tsx';
import { PostPage } from './post-page.tsx';

export function Area() {
  return (
    <Switch>
      <Route path="/content">
        <CalendarPage />
      </Route>
      <Route path="/content/new">
        <For role="MEMBER" may="write posts">
          <NewPostPage />
        </For>
      </Route>
      <Route path="/content/media">
        <LibraryPage />
      </Route>
      <Route path="/content/posts/:id">{({ id }) => <PostPage key={id} postId={id} />}</Route>
      <Route path="/content/groups/:id">{({ id }) => <GroupPage key={id} groupId={id} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
