/** Stores a file on the sandbox's web server and returns its URL. */
export async function putFile(name: string, content: Buffer, contentType: string): Promise<string> {
  const url = `${process.env.STRIPE_API_BASE}/_sandbox/files/${name}`;
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: new Uint8Array(content),
  });

  return ((await answer.json()) as { url: string }).url;
}
