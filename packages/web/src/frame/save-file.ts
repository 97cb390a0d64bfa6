/** Saves a text as a file on the person's device. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Returns the current day, for a file name. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
