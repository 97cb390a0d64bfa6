import { ChevronsUpDown, LogOut } from 'lucide-preact';
import { useEffect } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import { client } from '../service.ts';
import { Avatar, hueOf } from '../ui/avatar.tsx';
import { Field, Form } from '../ui/form.tsx';
import { Menu } from '../ui/menu.tsx';
import { For, Heading } from '../ui/page.tsx';
import { Failed } from '../ui/states.tsx';
import { type Area, areas } from './areas.ts';
import { OrganizationFailure, useSend } from './data.tsx';
import { LiveUpdates } from './live.tsx';
import { Navigation } from './navigation.tsx';
import { NotFound } from './not-found.tsx';
import { useMembership, useSession, useUser } from './session.tsx';

/**
 * Everything that a signed-in person sees: the navigation, the organization, and the area at the
 * address.
 */
export function Frame() {
  const { currentOrganization } = useUser();

  return currentOrganization ? (
    <InOrganization key={currentOrganization.id} />
  ) : (
    <WithoutOrganization />
  );
}

function InOrganization() {
  const { name } = useMembership();
  useEffect(() => {
    document.documentElement.style.setProperty('--accent-hue', String(hueOf(name)));
  }, [name]);

  return (
    <LiveUpdates>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <div class="frame">
        <div class="sidebar">
          <Organization />
          <Navigation />
          <Account />
        </div>
        <main id="content" tabIndex={-1}>
          <OrganizationFailure />
          <Switch>
            {areas.flatMap((area) =>
              area.paths.map((path) => (
                <Route key={area.name} path={path}>
                  <AreaOfRole {...area} />
                </Route>
              )),
            )}
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </main>
      </div>
    </LiveUpdates>
  );
}

function AreaOfRole({ name, role = 'VIEWER', Component }: Area) {
  return (
    <For role={role} may={`open ${name.toLowerCase()}`}>
      <Component />
    </For>
  );
}

function Organization() {
  const { organizations } = useUser();
  const { id, name } = useMembership();
  const { switchOrganization } = useSession();
  const switching = useSend((organizationId: string) => switchOrganization(organizationId));
  const shown = (
    <>
      <Avatar name={name} />
      <span class="organization-name">{name}</span>
    </>
  );
  if (organizations.length < 2) {
    return <header class="organization">{shown}</header>;
  }

  return (
    <header class="organization">
      <Menu
        label={`Switch organization: ${name}`}
        class="organization-button"
        button={
          <>
            {shown}
            <ChevronsUpDown aria-hidden="true" />
          </>
        }
      >
        {organizations.map((other) => (
          <button
            key={other.id}
            type="button"
            aria-current={other.id === id}
            onClick={() => other.id === id || switching.send(other.id).catch(() => undefined)}
          >
            {other.name}
          </button>
        ))}
      </Menu>
      <Failed of={switching} />
    </header>
  );
}

function Account() {
  const { email, firstName, lastName } = useUser();
  const { signOut } = useSession();
  const leaving = useSend(signOut);

  return (
    <footer class="account">
      <div class="account-name">
        <span>
          {firstName} {lastName}
        </span>
        <span class="quiet">{email}</span>
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label="Sign out"
        title="Sign out"
        onClick={() => leaving.send().catch(() => undefined)}
      >
        <LogOut aria-hidden="true" />
      </button>
      <Failed of={leaving} />
    </footer>
  );
}

/** For people who left or lost their last organization. They can create a new one. */
function WithoutOrganization() {
  const { refresh, signOut, switchOrganization } = useSession();
  const creating = useSend(({ name = '' }: { readonly name?: string }, options) =>
    client.organizations.create(
      { name, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
      options,
    ),
  );

  return (
    <main class="door">
      <Heading>You are in no organization</Heading>
      <p>Create one, or open the link of an invitation.</p>
      <Form
        sending={creating}
        action="Create organization"
        onDone={async ({ organization }) => {
          await switchOrganization(organization.id);
          await refresh();
        }}
        aside={
          <button type="button" class="button" onClick={() => void signOut()}>
            Sign out
          </button>
        }
      >
        <Field name="name" label="Organization name" required />
      </Form>
    </main>
  );
}
