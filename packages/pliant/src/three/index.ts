/** Trained characters in three.js: entry 'pliant/three'. */
export { Collider, type SharedField } from './collider.js'
export { type ColliderOptions, colliderFromGltf, type LoadedGltf, loadCollider } from './load-collider.js'
export { SkinnedCollider } from './skinned-collider.js'
