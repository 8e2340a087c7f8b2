/**
 * How much memory a file may ask for. A few bytes can name one array ten thousand times over, or show one mesh on a
 * million nodes; so whatever a reader is about to allocate it draws from here first, and the sum may not outgrow the
 * file: it ends at 64 MB and 32 bytes for each byte of it. The densest honest file, positions and weights in bytes,
 * takes 24 with all copies on the way. Time follows memory: who may not allocate cannot loop for long.
 */
import { FileError } from './file-error.js'

const ALWAYS_ALLOWED = 64_000_000
const PER_FILE_BYTE = 32

export class DecodeBudget {
  readonly allowed: number
  #drawn = 0

  /** @param fileBytes  of the file and those that come with it */
  constructor(
    readonly format: string,
    readonly fileBytes: number,
  ) {
    this.allowed = ALWAYS_ALLOWED + PER_FILE_BYTE * fileBytes
  }

  /** Bytes drawn so far. */
  get drawn(): number {
    return this.#drawn
  }

  /**
   * Call before allocating.
   * @param what  names what the bytes are for in the message: `${what} would take ...`
   * @throws FileError once all together is more than the file may ask for
   */
  draw(bytes: number, what: string): void {
    this.#drawn += bytes
    if (this.#drawn <= this.allowed) return
    const megabytes = (count: number) => Math.ceil(count / 1e6)
    throw new FileError(
      this.format,
      `with ${what} it would take ${megabytes(this.#drawn)} MB of memory, a file of ${this.fileBytes} bytes may take ${megabytes(this.allowed)}; save a smaller part of it, or without repetitions.`,
    )
  }
}
