/** The initials of a person or organization. Pages never load pictures from the networks. */
export function Avatar({ name }: { readonly name: string }) {
  return (
    <span class="avatar" aria-hidden="true" style={{ '--hue': String(hueOf(name)) }}>
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')].find((letter) => /\p{L}|\p{N}/u.test(letter)) ?? '',
  );

  return letters.join('').toUpperCase() || '?';
}

/** Returns the hue of a name's color. */
export function hueOf(name: string): number {
  let hash = 7;
  for (const letter of name) {
    hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  }

  return hash;
}
