import { Route, Switch } from 'wouter-preact';
import { NotFound } from '../../frame/not-found.tsx';
import { For } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AgentPage } from './agent-page.tsx';
import { AgentsPage } from './agents-page.tsx';
import { GapsPage } from './gaps-page.tsx';
import { KnowledgePage } from './knowledge-page.tsx';
import { NewAgentPage } from './new-agent-page.tsx';
import { NewTemplatePage } from './new-template-page.tsx';
import { NewTestPage } from './new-test-page.tsx';
import { TemplatePage } from './template-page.tsx';
import { TemplatesPage } from './templates-page.tsx';
import { TestsPage } from './tests-page.tsx';

const lists = {
  '/agents': { name: 'Agents', Component: AgentsPage },
  '/agents/templates': { name: 'Templates', Component: TemplatesPage },
  '/agents/tests': { name: 'A/B tests', Component: TestsPage },
  '/agents/knowledge': { name: 'Knowledge', Component: KnowledgePage },
  '/agents/gaps': { name: 'Gaps', Component: GapsPage },
} as const;

const names = Object.entries(lists).map(([path, { name }]) => [path, name] as const);

const forms = {
  '/agents/new': { may: 'create agents', Component: NewAgentPage },
  '/agents/templates/new': { may: 'create templates', Component: NewTemplatePage },
  '/agents/tests/new': { may: 'start A/B tests', Component: NewTestPage },
} as const;

export function Area() {
  return (
    <Switch>
      {Object.entries(lists).map(([path, { Component }]) => (
        <Route key={path} path={path}>
          <Component tabs={<Tabs label="Agents" names={names} />} />
        </Route>
      ))}
      {Object.entries(forms).map(([path, { may, Component }]) => (
        <Route key={path} path={path}>
          <For role="MEMBER" may={may}>
            <Component />
          </For>
        </Route>
      ))}
      <Route path="/agents/templates/:id">
        {({ id }) => <TemplatePage key={id} templateId={id} />}
      </Route>
      <Route path="/agents/:id">{({ id }) => <AgentPage key={id} agentId={id} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
