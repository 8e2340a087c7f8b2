/** What is on show, as parameters of the address: object, code and slice. */
import { AXIS_NAMES, type Axis, type SlicePlane } from './slice-plane.js'

export interface View {
  /** File name of a listed object; undefined for one opened from disk, which an address cannot carry. */
  object?: string
  code?: number[]
  axis?: Axis
  at?: number
  /** Where the camera stands, as `View3D.place` has it. */
  view?: string
}

export function writeView(
  object: string | undefined,
  code: ArrayLike<number>,
  plane: SlicePlane,
  view?: string,
): Map<string, string> {
  const parameters = new Map<string, string>()
  if (object !== undefined) parameters.set('object', object)
  if (code.length > 0) parameters.set('code', Array.from(code, short).join(','))
  parameters.set('axis', AXIS_NAMES[plane.axis])
  parameters.set('at', short(plane.at))
  if (view !== undefined) parameters.set('view', view)
  return parameters
}

/** Takes what it understands and leaves out the rest: an address is edited by hand and shortened by mail programs. */
export function readView(parameters: ReadonlyMap<string, string>): View {
  const view: View = {}
  const object = parameters.get('object')
  if (object) view.object = object
  const code = parameters.get('code')?.split(',').map(Number)
  if (code?.every(Number.isFinite)) view.code = code
  const axis = AXIS_NAMES.indexOf(parameters.get('axis') as 'x')
  if (axis >= 0) view.axis = axis as Axis
  const at = Number.parseFloat(parameters.get('at') ?? '')
  if (Number.isFinite(at)) view.at = at
  const place = parameters.get('view')
  if (place) view.view = place
  return view
}

/** A tenth of a millimetre, or of a thousandth of a code, is finer than a slider. */
function short(value: number): string {
  return String(Number(value.toFixed(4)))
}
