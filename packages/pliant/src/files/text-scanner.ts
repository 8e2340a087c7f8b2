/**
 * Reads numbers and words out of text files, straight from their bytes: no string is made per line or per number, so
 * a 100,000-triangle OBJ takes tens of milliseconds. Lone CR, LF and CRLF all end a line; `#` starts a comment.
 */
import { FileError, quoted } from './file-error.js'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
const HASH = 35
const PLUS = 43
const MINUS = 45
const DOT = 46
const ZERO = 48
const BACKSLASH = 92

/** Powers of ten that a double holds exactly. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))
/** Up to here 10 * mantissa + digit is exact. */
const LARGEST_MANTISSA = (2 ** 53 - 10) / 10

const latin = new TextDecoder('latin1')

export class TextScanner {
  /** Where the next read begins. */
  position: number

  constructor(
    readonly format: string,
    readonly bytes: Uint8Array,
    position = 0,
    readonly end = bytes.length,
    /** Backslash before a line end joins two lines (OBJ). */
    readonly continues = false,
  ) {
    // A byte order mark is no part of the first word.
    const marked = position === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    this.position = marked ? Math.min(3, end) : position
  }

  get atEnd(): boolean {
    return this.position >= this.end
  }

  /** Moves over spaces, tabs and other control characters, not over a line end. */
  skipBlanks(): void {
    const { bytes, end } = this
    while (this.position < end) {
      const byte = bytes[this.position]
      // Every control character ends a word, so every one must be passed over here, or readers would stand still.
      if (byte <= SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN) this.position++
      else if (byte === BACKSLASH && this.continues && this.isLineEnd(this.position + 1)) {
        const crlf = bytes[this.position + 1] === CARRIAGE_RETURN && bytes[this.position + 2] === LINE_FEED
        this.position = Math.min(end, this.position + (crlf ? 3 : 2))
      } else return
    }
  }

  /** Skips blanks; true when nothing but a comment is left on this line. */
  atLineEnd(): boolean {
    this.skipBlanks()
    return this.position >= this.end || this.isLineEnd(this.position) || this.bytes[this.position] === HASH
  }

  /** Moves behind the end of this line, whatever is left on it. */
  nextLine(): void {
    const { bytes, end } = this
    while (this.position < end) {
      const byte = bytes[this.position++]
      if (byte === LINE_FEED) return
      if (byte === CARRIAGE_RETURN) {
        if (bytes[this.position] === LINE_FEED) this.position++
        return
      }
      if (byte === BACKSLASH && this.continues && this.isLineEnd(this.position)) {
        this.position--
        this.skipBlanks()
      }
    }
  }

  /** Moves over blanks, line ends and comments to the next word; false at the end of the file. */
  toNextWord(): boolean {
    while (this.atLineEnd()) {
      if (this.position >= this.end) return false
      this.nextLine()
    }
    return true
  }

  /** The word that begins here, up to the next blank or line end; empty if there is none. */
  word(): string {
    const start = this.position
    while (this.position < this.end && !this.atDelimiter()) this.position++
    return latin.decode(this.bytes.subarray(start, this.position))
  }

  /** Moves over the word that begins here if it is `keyword` (lower-case letters) in any case; else stays and says false. */
  takeWord(keyword: string): boolean {
    const start = this.position
    for (let i = 0; i < keyword.length; i++) {
      if ((this.bytes[start + i] | 32) !== keyword.charCodeAt(i) || start + i >= this.end) return false
    }
    this.position = start + keyword.length
    if (this.atDelimiter()) return true
    this.position = start
    return false
  }

  /** True if a letter begins here. */
  atLetter(): boolean {
    const letter = this.bytes[this.position] | 32
    return this.position < this.end && letter >= 97 && letter <= 122
  }

  /** Moves over the word that begins here. */
  skipWord(): void {
    while (this.position < this.end && !this.atDelimiter()) this.position++
  }

  /** The rest of this line, without its comment. */
  restOfLine(): string {
    const start = this.position
    while (this.position < this.end && !this.isLineEnd(this.position) && this.bytes[this.position] !== HASH) {
      this.position++
    }
    return latin.decode(this.bytes.subarray(start, this.position)).trim()
  }

  /** The next number of this file, on this line or a later one. `what` names it in the error. */
  readNumber(what: string): number {
    if (!this.toNextWord()) throw this.cutShort(what)
    return this.numberHere(what)
  }

  /** The next number of this line; an error if the line ends before it. */
  readNumberOnLine(what: string): number {
    if (this.atLineEnd()) {
      if (this.atEnd) throw this.cutShort(what)
      throw this.error(`line ${this.line()} ends before ${what}; check the file was written completely.`)
    }
    return this.numberHere(what)
  }

  readInteger(what: string): number {
    const value = this.readNumber(what)
    if (!Number.isSafeInteger(value)) {
      throw this.error(`${what} on line ${this.line()} is ${value}, not a whole number; check the file.`)
    }
    return value
  }

  /**
   * How many of something follow, checked against the bytes that are left before anybody allocates.
   * @param bytesEach  the fewest bytes that one of them can take
   */
  readCount(what: string, bytesEach: number): number {
    const count = this.readInteger(`the number of ${what}`)
    this.checkCount(count, what, bytesEach)
    return count
  }

  checkCount(count: number, what: string, bytesEach: number): void {
    // The last one of a file may lack its line end.
    if (count < 0 || count * bytesEach > this.end - this.position + 1) {
      throw this.error(
        `${count} ${what} declared but ${this.end - this.position} bytes follow; check the file was written completely.`,
      )
    }
  }

  /**
   * Reads the number that begins here and stops behind it; NaN, without moving, where none begins. Correctly rounded:
   * up to 15 digits and 22 powers of ten go through exact arithmetic, everything else through the engine's parser.
   */
  scanNumber(): number {
    const { bytes, end } = this
    const start = this.position
    let at = start
    let negative = false
    if (bytes[at] === MINUS || bytes[at] === PLUS) negative = bytes[at++] === MINUS
    let mantissa = 0
    let digits = 0
    let exponent = 0
    let exact = true
    for (let fraction = false; at < end; at++) {
      const digit = bytes[at] - ZERO
      if (digit >= 0 && digit <= 9) {
        if (mantissa > LARGEST_MANTISSA) exact = false
        mantissa = mantissa * 10 + digit
        digits++
        if (fraction) exponent--
      } else if (bytes[at] === DOT && !fraction) fraction = true
      else break
    }
    if (digits === 0) return Number.NaN
    // e, E, and the d, D of Fortran programs.
    if (at < end && ((bytes[at] | 32) === 101 || (bytes[at] | 32) === 100)) {
      let after = at + 1
      let down = false
      if (bytes[after] === MINUS || bytes[after] === PLUS) down = bytes[after++] === MINUS
      let power = 0
      const first = after
      for (; after < end && bytes[after] >= ZERO && bytes[after] <= ZERO + 9; after++) {
        power = Math.min(power * 10 + bytes[after] - ZERO, 99999)
      }
      if (after > first) {
        exponent += down ? -power : power
        at = after
      }
    }
    this.position = at
    if (!exact || exponent < -22 || exponent > 22) {
      return Number(latin.decode(bytes.subarray(start, at)).replace(/[dD]/, 'e'))
    }
    const value = exponent < 0 ? mantissa / EXACT_POWERS[-exponent] : mantissa * EXACT_POWERS[exponent]
    return negative ? -value : value
  }

  /** True at a blank, a line end, a comment or the end of the file. */
  atDelimiter(): boolean {
    const byte = this.bytes[this.position]
    return this.position >= this.end || byte <= SPACE || byte === HASH || (byte === BACKSLASH && this.continues)
  }

  /** The line of `position`, counted from 1. Slow; for messages. */
  line(): number {
    let line = 1
    for (let at = 0; at < this.position && at < this.end; at++) {
      const byte = this.bytes[at]
      if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && this.bytes[at + 1] !== LINE_FEED)) line++
    }
    return line
  }

  error(problem: string): FileError {
    return new FileError(this.format, problem)
  }

  cutShort(what: string): FileError {
    return this.error(`the file ends before ${what}; check it was written completely.`)
  }

  private numberHere(what: string): number {
    const start = this.position
    const value = this.scanNumber()
    if (!this.atDelimiter() || !Number.isFinite(value)) {
      this.position = start
      const word = this.word()
      throw this.error(`${what} on line ${this.line()} is ${quoted(word)}, not a finite number; check the file.`)
    }
    return value
  }

  private isLineEnd(position: number): boolean {
    const byte = this.bytes[position]
    return position < this.end && (byte === LINE_FEED || byte === CARRIAGE_RETURN)
  }
}
