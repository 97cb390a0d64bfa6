/** Reloads the page after a rebuild. Only in development. */
async function versionOfPage(): Promise<string | null> {
  const response = await fetch('/app', { cache: 'no-cache' }).catch(() => undefined);

  return response?.headers.get('etag') ?? null;
}

const own = await versionOfPage();

setInterval(async () => {
  const current = await versionOfPage();
  if (current !== null && current !== own) {
    location.reload();
  }
}, 1_000);

export {};
