/** Saves a text as a file of this computer. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The day in a file's name. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
