/** The source of a lead for people: "Social media" for `social_media`. */
export function sourceName(source: string): string {
  const words = source.replaceAll('_', ' ');

  return words.charAt(0).toUpperCase() + words.slice(1);
}
