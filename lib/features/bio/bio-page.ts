import { shortUrlOf } from '#lib/features/short-links/short-codes.ts';
import { clip, firstCharacters } from '#lib/platform/characters.ts';
import { escapeHtml } from '#lib/platform/html/escape-html.ts';
import { htmlPage, pagePolicy } from '#lib/platform/html/page.ts';
import type { BioLink } from './bio-links.ts';
import { hueOf, pageStyle } from './bio-page-style.ts';

export type PageOwner = {
  readonly organizationId: string;
  readonly name: string;
  readonly description?: string | null;
  readonly website?: string | null;
};

export type RenderedPage = { readonly html: string; readonly policy: string };

const maxBytes = 29_000;
const maxAboutLength = 160;
const maxIntroLength = 400;

const arrow =
  '<svg class="go" width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M4 10h12M11 5l5 5-5 5"/></svg>';

function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => firstCharacters(word, 1))
    .join('')
    .toLocaleUpperCase();
}

/**
 * Renders an organization's links as one page under 30 KB, without scripts. Loads only images. If
 * not all links fit, shows the newest.
 */
export function renderBioPage(owner: PageOwner, links: readonly BioLink[]): RenderedPage {
  const style = pageStyle(hueOf(owner.organizationId));
  const render = (list: string) =>
    htmlPage({
      title: owner.name,
      head: metaOf(owner),
      style,
      main: `<main>\n${header(owner)}\n${list}\n</main>`,
    });
  const room = maxBytes - Buffer.byteLength(render(''));

  return { html: render(listOf(links, room)), policy: pagePolicy(style) };
}

function listOf(links: readonly BioLink[], room: number): string {
  const items: string[] = [];
  let size = 0;
  for (const item of links.map(card)) {
    size += Buffer.byteLength(item) + 1;
    if (size > room) {
      break;
    }
    items.push(item);
  }
  const isCut = items.length < links.length;

  return `<ul role="list">\n${items.join('\n')}\n</ul>${isCut ? '\n<p class="note">Showing the newest links.</p>' : ''}`;
}

function metaOf({ name, description, organizationId }: PageOwner): string {
  const about = clip(description ?? `All links from ${name}`, maxAboutLength);

  return `<meta name="description" content="${escapeHtml(about)}">
<meta property="og:title" content="${escapeHtml(name)}">
<meta property="og:description" content="${escapeHtml(about)}">
<meta property="og:type" content="profile">
<link rel="icon" href="${icon(name, hueOf(organizationId))}">
`;
}

/** Returns an inline icon, because browsers would otherwise request one. */
function icon(name: string, hue: number): string {
  const letter = escapeHtml(firstCharacters(initialsOf(name), 1));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="hsl(${hue} 55% 34%)"/><text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="18" font-weight="600" text-anchor="middle" fill="#fff">${letter}</text></svg>`;

  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function header({ name, description, website }: PageOwner): string {
  const intro = description
    ? `<p dir="auto">${escapeHtml(clip(description, maxIntroLength))}</p>`
    : '';

  return `<header>
<div class="mark" aria-hidden="true">${escapeHtml(initialsOf(name))}</div>
<h1 dir="auto">${escapeHtml(name)}</h1>${intro}${website ? websiteLink(website) : ''}
</header>`;
}

function websiteLink(website: string): string {
  const { host } = new URL(website);

  return `<p><a href="${escapeHtml(website)}" rel="noopener">${escapeHtml(host)}</a></p>`;
}

function card(link: BioLink): string {
  const { title, description, buttonText } = link;
  const about = description
    ? `<span class="about" dir="auto">${escapeHtml(clip(description, maxAboutLength))}</span>`
    : '';
  const pill = buttonText ? `<span class="pill" dir="auto">${escapeHtml(buttonText)}</span>` : '';
  const sign = buttonText ? '' : arrow;

  return `<li><a class="card" href="${escapeHtml(shortUrlOf(link))}" rel="noopener">${tile(link)}<span><span class="name" dir="auto">${escapeHtml(title)}</span>${about}${pill}</span>${sign}</a></li>`;
}

function tile({ imageUrl, title }: BioLink): string {
  const content = imageUrl
    ? `<img src="${escapeHtml(imageUrl)}" alt="" width="60" height="60" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
    : escapeHtml(firstCharacters(initialsOf(title), 1));

  return `<span class="tile" aria-hidden="true">${content}</span>`;
}

const neutralHue = 255;

export function renderNotFoundPage(): RenderedPage {
  const style = pageStyle(neutralHue);

  return {
    html: htmlPage({
      title: 'Page not found',
      head: '<meta name="robots" content="noindex">\n<link rel="icon" href="data:,">\n',
      style,
      main: '<main class="alone"><header><div class="mark" aria-hidden="true">?</div><h1>Page not found</h1><p>This link is inactive or does not exist. Ask the person who shared it for a new link.</p></header></main>',
    }),
    policy: pagePolicy(style),
  };
}
