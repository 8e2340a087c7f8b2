/** Bytes of an artifact that the page's own server has. */
export async function artifactOfServer(name: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer())
}
