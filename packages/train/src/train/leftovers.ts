/** What a run that was stopped leaves beside its file, to go on from; removed once the result is safe. */
import { roundLogPath } from '../learn/rounds/index.js'
import { shapeSpaceCheckpoints } from '../learn/shape-space/learn-shape-space.js'
import { dropLogPath } from '../poses/drop-log.js'
import { contactCountsPath } from './contact-budget.js'

export interface Leftover {
  path: string
  /** How a run goes on with it: 'from', before the path. */
  how: string
}

/** Whether or not there are any; that which says most comes first. */
export function leftoversOf(checkpointPath: string): Leftover[] {
  return [
    { path: checkpointPath, how: 'from' },
    { path: dropLogPath(checkpointPath), how: 'with the poses in' },
    { path: roundLogPath(checkpointPath), how: 'with the rounds in' },
    { path: contactCountsPath(checkpointPath), how: 'with what its budget allows, in' },
    ...shapeSpaceCheckpoints(checkpointPath).map((path) => ({ path, how: 'with the space of shapes in' })),
  ]
}
