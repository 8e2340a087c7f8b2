/** A path that suits any body: down onto its back until the tool touches, a press, a stroke along it, and away. */

import { boxOfPoints, type TetMesh, type TriangleMesh } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { boxCentre, boxDiagonal, pressPath, type ToolPath } from 'pliant/unstable'
import * as THREE from 'three'
import type { ToolPose } from './haptics-protocol.js'
import { ToolFrame } from './tool-frame.js'

/** Fingers to the left and a little away, the tips lower than the wrist [rad]. */
export const TOOL_YAW = 1.0
export const TOOL_PITCH = -0.35
/** Where the tool's middle comes down, from the middle of the box in parts of its sides along x and z. */
const OVER = [0.6, 0.2] as const
/** In diagonals of the body: from how high, how deep, how far to where. */
const CLEARANCE = 0.12
const DEPTH = 0.15
const STROKE = [0.1, 0.02, 0.02] as const
const SECONDS = [0.8, 0.8, 1.6, 0.7] as const
/** Shortest step down in diagonals, and most of them; which share of the tool's nodes inside is a touch: an ear is not. */
const LEAST_STEP = 0.01
const MOST_STEPS = 150
const INSIDE = 0.02

export interface RecordedPath {
  /** Of the tool's own frame. */
  path: ToolPath
  start: ToolPose
}

/** @param surface of the body at rest */
export function recordPath(tool: TetMesh, surface: TriangleMesh): RecordedPath {
  const box = boxOfPoints(surface.positions)
  const diagonal = boxDiagonal(box)
  const frame = new ToolFrame()
  frame.rotation.setFromEuler(new THREE.Euler(TOOL_PITCH, TOOL_YAW, 0, 'YXZ'))
  const middle = new THREE.Vector3(...boxCentre(boxOfPoints(tool.positions))).applyQuaternion(frame.rotation)
  const centre = boxCentre(box)
  frame.position.set(
    centre[0] + OVER[0] * (box.upper[0] - box.lower[0]) - middle.x,
    box.upper[1] + diagonal,
    centre[2] + OVER[1] * (box.upper[2] - box.lower[2]) - middle.z,
  )
  lowerOnto(new ExactMeshField(surface), tool, frame, LEAST_STEP * diagonal)
  const { rotation } = frame.pose
  const path = pressPath({
    touch: frame.pose.position as [number, number, number],
    clearance: CLEARANCE * diagonal,
    depth: DEPTH * diagonal,
    slide: [diagonal * STROKE[0], diagonal * STROKE[1], diagonal * STROKE[2]],
    seconds: SECONDS,
    rotation,
  })
  const [x, y, z] = path.positions
  return { path, start: { position: [x, y, z], rotation } }
}

/** Down by the least distance of any node, but not less than a step, until some nodes would be inside. */
function lowerOnto(body: ExactMeshField, { positions }: TetMesh, frame: ToolFrame, step: number): void {
  const placed = new Float64Array(positions.length)
  const distances = new Float64Array(positions.length / 3)
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    frame.place(positions, placed)
    body.query(placed, distances.length, distances)
    const inside = distances.filter((distance) => distance < 0).length
    if (inside > INSIDE * distances.length) return
    const gap = distances.reduce((least, distance) => Math.min(least, distance), Infinity)
    frame.position.y -= Math.max(gap, step)
  }
}
