/**
 * Opens what a page shows: one of the objects served with the studio, or files of one's own. Whatever fails, what was
 * on show stays, the picker goes on naming it, and people are told why, and where the file belongs if not here.
 */
import { copyText } from '../code-panel.js'
import type { PageHost } from '../page.js'
import type { PageFrame, Problem } from '../page-frame.js'
import type { KnownFile } from './file-kind.js'
import { type ListedEntry, ObjectPicker } from './object-picker.js'
import { ServedFiles } from './served-files.js'

export interface FileSource<Entry extends ListedEntry, Files> {
  /** File in the studio's artifacts that lists the objects. */
  list: string
  /** Endings of the files that can be opened, as in an input's `accept`. */
  accept: string
  /** Whether one object can be several files. */
  multiple?: boolean
  /** Told where the button is pointed at. */
  hint: string
  load(entry: Entry, served: ServedFiles): Promise<Files>
  /** @throws Error in one line that says what is missing */
  read(files: readonly File[], served: ServedFiles, listed: readonly Entry[]): Promise<Files>
  /** These are on show now. */
  shown?(files: Files): void
}

export interface ObjectOpenerOptions<Entry extends ListedEntry, Files, Wishes> {
  source: FileSource<Entry, Files>
  host: PageHost
  /** Files have come; `confirm` or `fail` says what became of them. @throws Error in one line */
  onLoaded(files: Files, wishes: Wishes | undefined): void | Promise<void>
}

interface Named {
  title: string
  /** File of a listed object; undefined for one's own. */
  listed: string | undefined
}

interface Asked extends Named {
  /** One's own files; empty for a listed object. */
  own: readonly File[]
  /** It takes the place of something that failed, of which people go on being told. */
  instead: boolean
}

export class ObjectOpener<Entry extends ListedEntry, Files, Wishes> {
  readonly picker: ObjectPicker<Entry>
  #frame: PageFrame | undefined
  #entries: readonly Entry[] = []
  #listing: Promise<readonly Entry[]> = Promise.resolve([])
  #shown: (Named & { facts: string }) | undefined
  #asked: Asked | undefined
  /** What came last, until it is known what became of it. */
  #loaded: Files | undefined
  /** Counts openings: a slow one must not replace a later one. */
  #turn = 0
  /** Counts what people were told of: advice on a failure must not replace a later one. */
  #told = 0

  constructor(private readonly options: ObjectOpenerOptions<Entry, Files, Wishes>) {
    const { accept, multiple, hint } = options.source
    this.picker = new ObjectPicker<Entry>({
      accept,
      multiple,
      hint,
      onListed: (entry) => void this.#open(entry, undefined),
      onFiles: (files) => void this.#openOwn(files),
    })
  }

  /** File of the listed object on show; undefined for one's own. */
  get listed(): string | undefined {
    return this.#shown?.listed
  }

  /** Opens what another page sent, or the listed object that is asked for, or the first. */
  async start(frame: PageFrame, wanted: string | undefined, wishes: Wishes): Promise<void> {
    this.#frame = frame
    const turn = ++this.#turn
    this.#listing = new ServedFiles(() => {}).json<Entry[]>(this.options.source.list)
    try {
      this.#entries = await this.#listing
    } catch (error) {
      if (turn === this.#turn) this.fail(textOf(error))
      return
    }
    this.picker.list(this.#entries)
    if (turn !== this.#turn) return
    const { files } = this.options.host
    if (files.length > 0) await this.#openOwn(files)
    else await this.#open(this.#entries.find(({ file }) => file === wanted) ?? this.#entries[0], wishes)
  }

  /** @returns whether another listed object was asked for and is being opened */
  openOther(file: string | undefined, wishes: Wishes): boolean {
    const entry = this.#entries.find((listed) => listed.file === file)
    if (!entry || entry.file === this.listed) return false
    void this.#open(entry, wishes)
    return true
  }

  /** What was loaded is on show. @param facts a few words on it */
  confirm(facts: string): void {
    if (this.#loaded) this.options.source.shown?.(this.#loaded)
    this.#loaded = undefined
    if (this.#asked) this.#shown = { title: this.#asked.title, listed: this.#asked.listed, facts }
    if (!this.#asked?.instead) this.#tell(undefined)
    this.#restore()
    this.#frame!.ready = true
  }

  /** What was asked for cannot be shown; what was on show before goes on. */
  fail(message: string): void {
    const own = this.#asked?.own ?? []
    this.#asked = undefined
    this.#loaded = undefined
    this.#restore()
    const frame = this.#frame!
    this.#tell({ message })
    if (own.length > 0) void this.#advise(message, own)
    if (this.#shown) frame.progress = undefined
    // What was sent from another page does not open: there must be something to look at all the same.
    else if (own.length > 0 && this.#entries.length > 0) void this.#open(this.#entries[0], undefined, true)
    else frame.progress = { text: 'Nothing to show yet: open a file.', share: 0 }
  }

  dispose(): void {
    this.#turn++
    this.picker.dispose()
  }

  async #open(entry: Entry, wishes: Wishes | undefined, instead = false): Promise<void> {
    await this.#load({ title: entry.title, listed: entry.file, own: [], instead }, wishes, (served) =>
      this.options.source.load(entry, served),
    )
  }

  async #openOwn(files: readonly File[]): Promise<void> {
    const { source } = this.options
    const title = (files.find(({ name }) => /\.glb$/i.test(name)) ?? files[0]).name
    await this.#load({ title, listed: undefined, own: files, instead: false }, undefined, async (served) =>
      // Somebody may be faster than the list.
      source.read(files, served, await this.#listing),
    )
  }

  async #load(asked: Asked, wishes: Wishes | undefined, load: (served: ServedFiles) => Promise<Files>): Promise<void> {
    const turn = ++this.#turn
    const frame = this.#frame!
    const served = new ServedFiles((text, share) => {
      if (turn === this.#turn) frame.progress = { text, share }
    })
    this.#asked = asked
    this.#loaded = undefined
    frame.progress = { text: `Opening ${asked.title}\u2026` }
    try {
      const files = await load(served)
      if (turn !== this.#turn) return
      frame.progress = { text: `Preparing ${asked.title}\u2026` }
      this.#loaded = files
      await this.options.onLoaded(files, wishes)
    } catch (error) {
      if (turn === this.#turn) this.fail(textOf(error))
    }
  }

  #restore(): void {
    if (this.#shown) this.picker.show(this.#shown.title, this.#shown.listed, this.#shown.facts)
  }

  /** Says where files belong that cannot be opened here, or what to do first. */
  async #advise(message: string, files: readonly File[]): Promise<void> {
    const told = this.#told
    // Readers of every kind of file: fetched only when they are needed.
    const { knowFile } = await import('./file-kind.js')
    for (const file of files) {
      const known = await knowFile(file.name, new Uint8Array(await file.arrayBuffer()))
      if (told !== this.#told) return
      if (known) {
        this.#tell(this.#advice(message, known, file, files))
        return
      }
    }
  }

  #tell(problem: Problem | undefined): void {
    this.#told++
    this.#frame!.problem = problem
  }

  #advice(message: string, { kind, facts }: KnownFile, { name }: File, files: readonly File[]): Problem {
    if (kind === 'untrained character') {
      const command = `npx pliant train ${quoted(name)} --out ${quoted(name.replace(/\.glb$/i, '.safetensors'))}`
      return {
        message,
        details: `${facts}. To train it: ${command}`,
        actions: [
          {
            text: 'Copy command',
            run: () => {
              void copyText(command).then((copied) => {
                if (copied) this.#tell({ message: 'Command copied: run it, then open both files together.' })
              })
            },
          },
        ],
      }
    }
    const page = this.options.host.pageFor(kind)
    if (!page) return { message, details: facts }
    return {
      message,
      details: facts,
      actions: [{ text: `Open it on ${page.title}`, run: () => page.open(files) }],
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A file name as a shell takes it. */
function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`
}
