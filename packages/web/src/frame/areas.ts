import {
  Bot,
  CalendarDays,
  ChartColumn,
  CreditCard,
  House,
  Inbox,
  type LucideIcon,
  Megaphone,
  Settings,
  Share2,
  SquareKanban,
} from 'lucide-preact';
import type { ComponentType } from 'preact';
import type { Role } from '../service.ts';
import { chunk } from './chunk.tsx';

export type Area = {
  readonly name: string;
  readonly href: string;
  readonly icon: LucideIcon;
  /** Addresses below `/app`, as wouter patterns. `*?` at the end matches all addresses below. */
  readonly paths: readonly string[];
  /** Other roles see no link, and a notice at the address. Default: all roles. */
  readonly role?: Role;
  readonly Component: ComponentType;
};

/**
 * The areas of the app in the order of the navigation. Each is a folder of `pages` that exports
 * `Area` from its main module, and loads when it is first opened.
 */
export const areas: readonly Area[] = [
  {
    name: 'Home',
    href: '/',
    icon: House,
    paths: ['/'],
    Component: chunk(() => import('../pages/home/home.tsx')),
  },
  {
    name: 'Inbox',
    href: '/inbox',
    icon: Inbox,
    paths: ['/inbox', '/conversations/:id'],
    Component: chunk(() => import('../pages/inbox/inbox.tsx')),
  },
  {
    name: 'Leads',
    href: '/leads',
    icon: SquareKanban,
    paths: ['/leads', '/leads/:id'],
    Component: chunk(() => import('../pages/leads/leads.tsx')),
  },
  {
    name: 'Campaigns',
    href: '/campaigns',
    icon: Megaphone,
    paths: ['/campaigns', '/campaigns/:id'],
    Component: chunk(() => import('../pages/campaigns/campaigns.tsx')),
  },
  {
    name: 'Content',
    href: '/content',
    icon: CalendarDays,
    paths: ['/content/*?'],
    Component: chunk(() => import('../pages/content/content.tsx')),
  },
  {
    name: 'Accounts',
    href: '/social/accounts',
    icon: Share2,
    paths: ['/social/accounts', '/social/connect'],
    Component: chunk(() => import('../pages/accounts/accounts.tsx')),
  },
  {
    name: 'Agents',
    href: '/agents',
    icon: Bot,
    paths: ['/agents/*?'],
    Component: chunk(() => import('../pages/agents/agents.tsx')),
  },
  {
    name: 'Reports',
    href: '/reports',
    icon: ChartColumn,
    paths: ['/reports'],
    Component: chunk(() => import('../pages/reports/reports.tsx')),
  },
  {
    name: 'Billing',
    href: '/billing',
    icon: CreditCard,
    paths: ['/billing'],
    role: 'ADMIN',
    Component: chunk(() => import('../pages/billing/billing.tsx')),
  },
  {
    name: 'Settings',
    href: '/settings/organization',
    icon: Settings,
    paths: ['/settings/*?'],
    Component: chunk(() => import('../pages/settings/settings.tsx')),
  },
];
