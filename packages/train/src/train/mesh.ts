/** Subject: a mesh with modes, or a static one. One network of the whole object. */
import { learnWhole } from '../learn/learn-whole.js'
import { DRAWN_STAGES } from '../plan/stages.js'
import { loadMesh, MESH_MODEL, type MeshModel } from '../subjects/mesh.js'
import { type LoadedObject, objectToTrain } from './object.js'
import type { Subject } from './subject.js'

export const MESH: Subject<MeshModel> = {
  model: MESH_MODEL,
  load: async (spec, model, files): Promise<LoadedObject> =>
    objectToTrain(spec, await loadMesh(spec, model, files), {
      kind: 'linear-modes',
      stages: DRAWN_STAGES,
      learn: (prepared, options) => learnWhole(spec, prepared, options),
    }),
}
