/** Checks of JSON that came from a file: each names the field, what it is and what it should be. */

/** @throws Error in one line if it is no JSON */
export function parseManifest(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw wrong('manifest', json.slice(0, 20), 'JSON')
  }
}

export function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path, value, 'an object')
  return value as Record<string, unknown>
}

export function text(value: unknown, path: string): void {
  if (typeof value !== 'string' || value.length > 10_000) throw wrong(path, value, 'text')
}

export function finite(value: unknown, path: string): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(path, value, 'a finite number')
}

export function positive(value: unknown, path: string): void {
  finite(value, path)
  if ((value as number) <= 0) throw wrong(path, value, 'a positive number')
}

export function notNegative(value: unknown, path: string): void {
  finite(value, path)
  if ((value as number) < 0) throw wrong(path, value, 'zero or more')
}

export function wholeUpTo(value: unknown, limit: number, path: string, least = 0): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > limit) {
    throw wrong(path, value, `a whole number from ${least} to ${limit}`)
  }
}

export function size32(value: unknown, path: string): void {
  wholeUpTo(value, 2 ** 31, path, 1)
}

export function numbers(value: unknown, length: number, path: string): void {
  if (!Array.isArray(value) || value.length !== length) throw wrong(path, value, `${length} numbers`)
  for (const entry of value) finite(entry, path)
}

/** Widths of layers. */
export function widths(value: unknown, path: string): void {
  if (!Array.isArray(value) || value.length > 64) throw wrong(path, value, 'a list of up to 64 widths')
  value.forEach((width, l) => {
    wholeUpTo(width, 8192, `${path}[${l}]`, 1)
  })
}

export function wrong(path: string, value: unknown, expected: string): Error {
  const shown = JSON.stringify(value)?.slice(0, 40) ?? 'missing'
  return new Error(`artifact: ${path} is ${shown}, should be ${expected}; fetch or train the file again.`)
}

/** A box with its corners in order. */
export function readBox(value: unknown, path: string): void {
  const box = object(value, path)
  numbers(box['lower'], 3, `${path}.lower`)
  numbers(box['upper'], 3, `${path}.upper`)
  for (let axis = 0; axis < 3; axis++) {
    if (!((box['lower'] as number[])[axis] < (box['upper'] as number[])[axis])) {
      throw wrong(`${path}.upper[${axis}]`, (box['upper'] as number[])[axis], 'more than the lower corner')
    }
  }
}
