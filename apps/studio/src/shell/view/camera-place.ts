/**
 * Where a camera stands, as a few numbers in the address: degrees about the vertical, degrees above the ground, distance
 * in sizes of the object, and how far what it looks at was moved aside, in sizes, if it was.
 */
export interface CameraPlace {
  /** [degrees], 0 from the front, to the right. */
  azimuth: number
  /** [degrees] above the ground. */
  elevation: number
  /** In sizes of the object. */
  distance: number
  /** Of what is looked at, in sizes of the object. */
  aside: readonly [number, number, number]
}

export function writeCameraPlace({ azimuth, elevation, distance, aside }: CameraPlace): string {
  const numbers = [azimuth.toFixed(1), elevation.toFixed(1), distance.toFixed(3)]
  if (Math.hypot(...aside) > 0.002) numbers.push(...aside.map((value) => value.toFixed(3)))
  return numbers.map(Number).join(',')
}

/** @returns undefined for what is no place: addresses are edited by hand */
export function readCameraPlace(text: string | undefined): CameraPlace | undefined {
  const numbers = (text ?? '').split(',').map((part) => Number.parseFloat(part))
  if ((numbers.length !== 3 && numbers.length !== 6) || !numbers.every(Number.isFinite)) return undefined
  const [azimuth, elevation, distance, x = 0, y = 0, z = 0] = numbers
  if (distance <= 0 || Math.abs(elevation) > 90) return undefined
  return { azimuth, elevation, distance, aside: [x, y, z] }
}
