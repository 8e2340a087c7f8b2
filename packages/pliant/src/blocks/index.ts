/**
 * Ready scenes, made of what the other entries export: a dressed character whose clip plays, a hand on a soft body, two
 * soft bodies squeezed together, a pile of rigid bodies. The studio shows them and the bench measures them. NOT STABLE,
 * may change in any release, patches included. Needs three, three-mesh-bvh and robust-predicates beside it, as
 * `pliant/exact` does.
 */
export { type CharacterFields, characterFields, exactCharacter } from './dress/character-fields.js'
export { type DressedBody, DressedScene, type DressedSceneOptions } from './dress/dressed-scene.js'
export { gustAt, type Wind } from './dress/gusts.js'
export { PILE_DEFAULTS, type PileBody, type PileOptions, PileScene } from './pile/pile-scene.js'
export { type MeshSolidOptions, meshSolid, PILE_SHAPES, shapeSolid } from './pile/pile-shapes.js'
export { PULL_SCRIPT_DEFAULTS, PullScript, type PullScriptOptions } from './pull/pull-script.js'
export { PULLED_SCENE_DEFAULTS, PulledScene, type PulledSceneOptions } from './pull/pulled-scene.js'
export { SqueezeDepth } from './squeeze/squeeze-depth.js'
export { type SqueezeFields, SqueezeScene } from './squeeze/squeeze-scene.js'
export {
  SQUEEZE_DEFAULTS,
  type SqueezedBody,
  type SqueezeOptions,
  type SqueezeScript,
  type SqueezeSubject,
  squeezeScript,
} from './squeeze/squeeze-script.js'
export { type PressScript, type PressSubject, pressScript } from './touch/press-script.js'
export {
  STROKE_DEFAULTS,
  STROKE_PITCH,
  STROKE_YAW,
  type StrokeOptions,
  type StrokeSubject,
  strokePath,
  strokeScript,
} from './touch/stroke-script.js'
export { ToolFrame, type ToolPose } from './touch/tool-frame.js'
export { type RecordedPath, ToolHand } from './touch/tool-hand.js'
export { TouchDepth } from './touch/touch-depth.js'
export {
  exactNodes,
  guardedNodes,
  type NodesField,
  type TouchFields,
  type TouchPart,
  TouchScene,
  type TouchSceneOptions,
  type TouchScript,
  type TouchWatch,
} from './touch/touch-scene.js'
