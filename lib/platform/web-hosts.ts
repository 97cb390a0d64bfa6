const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?`;
/** IDNA reads the three other full stops as a dot. */
const dot = '[.。．｡]';
const domain = String.raw`(?:${label}${dot})+\p{L}[\p{L}\p{M}\p{N}-]+`;
const start = String.raw`(?<![\p{L}\p{M}\p{N}_.-])`;
const ends = String.raw`\s<>"\x60、，；！？「」『』（）【】`;
/** The authority of an address, and the path, query and fragment behind it. */
const authority = String.raw`[^${ends}/\\?#]+`;
const behind = `[^${ends}]*`;

/** Browsers read a backslash as a slash, and ignore further slashes. */
const withScheme = new RegExp(String.raw`https?:[/\\]{2,}(${authority})${behind}`, 'giu');
const withWww = new RegExp(`${start}(www${dot}${authority})${behind}`, 'giu');
const withPath = new RegExp(String.raw`${start}(${domain})${dot}?(?::\d*)?[/\\]${behind}`, 'giu');
const noAddress = String.raw`(?![\p{L}\p{M}\p{N}_@-])`;
const anyDomain = new RegExp(`${start}(${domain})${noAddress}`, 'giu');
const outsideMail = new RegExp(`(?<!@)${start}(${domain})${noAddress}`, 'giu');

/** Longer than any host with its port. */
const maxHostLength = 300;
/** Punctuation that ends a sentence or closes a bracket, and is no part of the host. */
const closing = /[.,;:!?…'’”»)\]}*_~。]+$/u;
/** No top-level domain mixes scripts. In languages without spaces, the sentence goes on here. */
const nextScript = /(?<=\.[a-z]{2,})[^\p{ASCII}.。．｡:]+$/iu;

/** Returns the host that a browser opens, or undefined if it opens none. */
function hostOf(address: string): string | undefined {
  const named = address.slice(address.lastIndexOf('@') + 1).slice(0, maxHostLength);
  const host = named.replace(closing, '').replace(nextScript, '');

  return (URL.parse(`http://${host}`) ?? URL.parse(`http://${named}`))?.hostname.replace(/\.$/, '');
}

function hostsOf(text: string, patterns: readonly RegExp[]): ReadonlySet<string> {
  const hosts = new Set<string>();
  let rest = text;
  for (const pattern of patterns) {
    // An address inside the path of another one is not an address of its own.
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

/** Returns where the first bracket is closed that the text does not open, or its length. */
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

/** Cuts trailing punctuation from an address, and closing brackets that it did not open. */
function withoutPunctuation(address: string): string {
  let end = endOfBrackets(address);
  while (sentenceEnds.has(address.charAt(end - 1))) {
    end -= 1;
  }

  return address.slice(0, end);
}

/**
 * Replaces the characters of all addresses in a text with slashes, so that nothing in an address is
 * taken for a hashtag or a mention. Positions in the text stay the same.
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

/** Replaces the addresses with the scheme http or https in a text. The text around them stays. */
export function replaceAddresses(text: string, replace: (address: string) => string): string {
  return text.replaceAll(withScheme, (matched: string) => {
    const address = withoutPunctuation(matched);

    return `${replace(address)}${matched.slice(address.length)}`;
  });
}

/** Removes a text's web addresses, in all the forms that `linkedHosts` knows. */
export function withoutAddresses(text: string): string {
  return [withScheme, withWww, withPath].reduce(
    (rest, pattern) => rest.replaceAll(pattern, ''),
    text,
  );
}

/**
 * Returns the hosts of a text's web addresses: those with a scheme, those that begin with `www.`,
 * and domains with a path. In `https://good.example@bad.example`, the host is bad.example.
 */
export function linkedHosts(text: string): ReadonlySet<string> {
  return hostsOf(text, [withScheme, withWww, withPath]);
}

/** Returns the hosts that a text names, with or without a scheme or path. */
export function namedHosts(text: string): ReadonlySet<string> {
  return hostsOf(text, [withScheme, withWww, withPath, anyDomain]);
}

/** Returns the hosts that a text names, except in email addresses. */
export function namedSites(text: string): ReadonlySet<string> {
  return hostsOf(text, [withScheme, withWww, withPath, outsideMail]);
}
