/** Looks into a glTF file's JSON without trusting it: every step says where it is when something is not as it should be. */
import { FileError, quoted } from './file-error.js'

export class GltfObject {
  private constructor(
    private readonly fields: Record<string, unknown>,
    /** Where in the file, such as `meshes[0].primitives[1]`. */
    readonly path: string,
  ) {}

  static of(value: unknown, path: string): GltfObject {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new FileError('gltf', `${path} is not an object; check the file.`)
    }
    return new GltfObject(value as Record<string, unknown>, path)
  }

  has(key: string): boolean {
    return this.fields[key] !== undefined
  }

  keys(): string[] {
    return Object.keys(this.fields)
  }

  /** The object under a key; an empty one if it is missing. */
  object(key: string): GltfObject {
    return GltfObject.of(this.fields[key] ?? {}, this.at(key))
  }

  /** The object under a key if it is one: `extras` may be anything. */
  looseObject(key: string): GltfObject | undefined {
    const value = this.fields[key]
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new GltfObject(value as Record<string, unknown>, this.at(key))
      : undefined
  }

  /** The strings of an array; none if it is missing or something else. */
  strings(key: string): string[] {
    const value = this.fields[key]
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  }

  /** The objects of an array; none if it is missing. */
  objects(key: string): GltfObject[] {
    return this.array(key).map((value, i) => GltfObject.of(value, `${this.at(key)}[${i}]`))
  }

  string(key: string): string | undefined {
    const value = this.fields[key]
    if (value !== undefined && typeof value !== 'string') throw this.wrong(key, 'a text')
    return value
  }

  number(key: string, missing?: number): number {
    const value = this.fields[key] ?? missing
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.wrong(key, 'a number')
    return value
  }

  /** True only if it says so. */
  flag(key: string): boolean {
    return this.fields[key] === true
  }

  /** A whole number, 0 or more. */
  count(key: string, missing?: number): number {
    const value = this.number(key, missing)
    if (!Number.isSafeInteger(value) || value < 0) throw this.wrong(key, 'a whole number, 0 or more')
    return value
  }

  /** Number of something in an array of `length`. */
  index(key: string, length: number, what: string): number {
    const value = this.count(key)
    if (value >= length)
      throw new FileError('gltf', `${this.at(key)} is ${value} of ${length} ${what}; check the file.`)
    return value
  }

  indices(key: string, length: number, what: string): number[] {
    return this.array(key).map((value) => {
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < length) return value
      throw new FileError('gltf', `${this.at(key)} has ${quoted(String(value))} of ${length} ${what}; check the file.`)
    })
  }

  /** Numbers, exactly `length` of them unless it is undefined; `missing` if the key is not there. */
  numbers(key: string, length: number | undefined, missing: number[]): number[] {
    if (!this.has(key)) return missing
    const values = this.array(key)
    if (!values.every((value) => typeof value === 'number' && Number.isFinite(value))) {
      throw this.wrong(key, 'a list of numbers')
    }
    if (length !== undefined && values.length !== length) throw this.wrong(key, `${length} numbers`)
    return values as number[]
  }

  error(problem: string): FileError {
    return new FileError('gltf', `${this.path} ${problem}`)
  }

  private array(key: string): unknown[] {
    const value = this.fields[key] ?? []
    if (!Array.isArray(value)) throw this.wrong(key, 'a list')
    return value
  }

  private at(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`
  }

  private wrong(key: string, due: string): FileError {
    const value = this.fields[key]
    const text = value === undefined ? 'missing' : quoted(JSON.stringify(value) ?? '')
    return new FileError('gltf', `${this.at(key)} is ${text}, ${due} is due; check the file.`)
  }
}
