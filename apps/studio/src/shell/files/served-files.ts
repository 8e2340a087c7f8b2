/** Files that are served with the studio, fetched with a word on how far that is. */

/** @param share of all that is being fetched, 0 to 1; undefined if the server does not say how much there is */
export type OnProgress = (text: string, share: number | undefined) => void

export class ServedFiles {
  /** Bytes of each file: what has come and what is to come. */
  readonly #files = new Map<string, { got: number; of: number }>()

  constructor(private readonly onProgress: OnProgress) {}

  async json<T>(file: string): Promise<T> {
    return (await (await respond(file)).json()) as T
  }

  async bytes(file: string): Promise<Uint8Array> {
    const response = await respond(file)
    const counted = { got: 0, of: Number(response.headers.get('content-length')) }
    this.#files.set(file, counted)
    const reader = response.body!.getReader()
    const parts: Uint8Array[] = []
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value)
      counted.got += value.length
      this.#tell()
    }
    const bytes = new Uint8Array(counted.got)
    let at = 0
    for (const part of parts) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  }

  #tell(): void {
    let [got, of] = [0, 0]
    for (const file of this.#files.values()) {
      got += file.got
      of += file.of
    }
    const kilobytes = (bytes: number): string => Math.round(bytes / 1000).toLocaleString('en')
    // A server that compresses says the compressed length, which is less than what comes out of it.
    if (of >= got && of > 0) this.onProgress(`Fetching ${kilobytes(got)} of ${kilobytes(of)} kB`, got / of)
    else this.onProgress(`Fetching ${kilobytes(got)} kB`, undefined)
  }
}

async function respond(file: string): Promise<Response> {
  const response = await fetch(`./artifacts/${encodeURIComponent(file)}`)
  if (!response.ok) throw new Error(`studio: ${file} is not served (${response.status}); run \`npm run build\` again.`)
  return response
}
