/** Trained characters on three.js's live skeletons. Needs three beside it; docs/three.md has the rules. */
export { Collider, SharedField } from './collider.js'
export { type ColliderOptions, colliderFromGltf, type LoadedGltf, loadCollider } from './load-collider.js'
export { SkinnedCollider } from './skinned-collider.js'
