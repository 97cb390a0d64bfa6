const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?`;
/** IDNA treats the three other full stops as dots. */
const dot = '[.。．｡]';
const domain = String.raw`(?:${label}${dot})+\p{L}[\p{L}\p{M}\p{N}-]+`;
const start = String.raw`(?<![\p{L}\p{M}\p{N}_.-])`;
const ends = String.raw`\s<>"\x60、，；！？「」『』（）【】`;
/** The authority of a URL, followed by its path, query and fragment. */
const authority = String.raw`[^${ends}/\\?#]+`;
const behind = `[^${ends}]*`;

/** Browsers treat a backslash as a slash, and ignore additional slashes. */
const withScheme = new RegExp(String.raw`https?:[/\\]{2,}(${authority})${behind}`, 'giu');
const withWww = new RegExp(`${start}(www${dot}${authority})${behind}`, 'giu');
const withPath = new RegExp(String.raw`${start}(${domain})${dot}?(?::\d*)?[/\\]${behind}`, 'giu');
const noAddress = String.raw`(?![\p{L}\p{M}\p{N}_@-])`;
const anyDomain = new RegExp(`${start}(${domain})${noAddress}`, 'giu');
const outsideMail = new RegExp(`(?<!@)${start}(${domain})${noAddress}`, 'giu');

/** Longer than any host with its port. */
const maxHostLength = 300;
/** Punctuation that ends a sentence or closes a bracket. It is not a part of the host. */
const closing = /[.,;:!?…'’”»)\]}*_~。]+$/u;
/** No top-level domain mixes scripts. In languages without spaces, the sentence continues here. */
const nextScript = /(?<=\.[a-z]{2,})[^\p{ASCII}.。．｡:]+$/iu;

/** Returns the host that a browser opens, or undefined if it does not open any. */
function hostOf(address: string): string | undefined {
  const named = address.slice(address.lastIndexOf('@') + 1).slice(0, maxHostLength);
  const host = named.replace(closing, '').replace(nextScript, '');

  return (URL.parse(`http://${host}`) ?? URL.parse(`http://${named}`))?.hostname.replace(/\.$/, '');
}

function hostsOf(text: string, patterns: readonly RegExp[]): ReadonlySet<string> {
  const hosts = new Set<string>();
  let rest = text;
  for (const pattern of patterns) {
    // An address inside the path of another address is not counted separately.
    rest = rest.replaceAll(pattern, (_, address: string) => {
      const host = hostOf(address);
      if (host) {
        hosts.add(host);
      }

      return ' ';
    });
  }

  return hosts;
}

/**
 * Returns the position of the first closing bracket without an opening one, or the text's length.
 */
export function endOfBrackets(text: string): number {
  let open = 0;
  for (const { 0: bracket, index } of text.matchAll(/[()]/g)) {
    open += bracket === '(' ? 1 : -1;
    if (open < 0) {
      return index;
    }
  }

  return text.length;
}

/** Punctuation after an address. Unlike a host, a path may end in `_`, `*` or `~`. */
const sentenceEnds = new Set(".,;:!?…'’”»]}。");

/** Removes trailing punctuation from an address, and closing brackets without an opening one. */
function withoutPunctuation(address: string): string {
  let end = endOfBrackets(address);
  while (sentenceEnds.has(address.charAt(end - 1))) {
    end -= 1;
  }

  return address.slice(0, end);
}

/**
 * Replaces the characters of all addresses in a text with slashes, so that nothing in an address
 * looks like a hashtag or a mention. Positions in the text stay the same.
 */
export function maskAddresses(text: string): string {
  let masked = text;
  for (const pattern of [withScheme, withWww, withPath]) {
    masked = masked.replaceAll(pattern, (matched) => {
      const { length } = withoutPunctuation(matched);

      return `${'/'.repeat(length)}${matched.slice(length)}`;
    });
  }

  return masked;
}

/** Replaces the http and https addresses in a text. Keeps the text around them. */
export function replaceAddresses(text: string, replace: (address: string) => string): string {
  return text.replaceAll(withScheme, (matched: string) => {
    const address = withoutPunctuation(matched);

    return `${replace(address)}${matched.slice(address.length)}`;
  });
}

/** Removes the web addresses from a text, in all forms that `linkedHosts` recognizes. */
export function withoutAddresses(text: string): string {
  return [withScheme, withWww, withPath].reduce(
    (rest, pattern) => rest.replaceAll(pattern, ''),
    text,
  );
}

/**
 * Returns the hosts of the web addresses in a text: addresses with a scheme, addresses that begin
 * with `www.`, and domains with a path. In `https://good.example@bad.example`, the host is
 * bad.example.
 */
export function linkedHosts(text: string): ReadonlySet<string> {
  return hostsOf(text, [withScheme, withWww, withPath]);
}

/** Returns the hosts in a text, with or without a scheme or path. */
export function namedHosts(text: string): ReadonlySet<string> {
  return hostsOf(text, [withScheme, withWww, withPath, anyDomain]);
}

/** Returns the hosts in a text, except in email addresses. */
export function namedSites(text: string): ReadonlySet<string> {
  return hostsOf(text, [withScheme, withWww, withPath, outsideMail]);
}
