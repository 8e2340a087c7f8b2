import * as THREE from 'three'
import { beforeEach, describe, expect, it } from 'vitest'
import { HandDriver } from '../../../src/pages/haptics/hand-driver.js'

const START = { position: [0.1, 0.2, 0.05], rotation: [0, 0, 0, 1] } as const
const OPENED = {
  box: { lower: [-0.1, 0, -0.1], upper: [0.1, 0.1, 0.1] },
  toolMiddle: [0, 0, -0.05],
  start: START,
} as const

describe('the hand', () => {
  const camera = new THREE.PerspectiveCamera(40, 1, 0.01, 10)
  let driver: HandDriver
  beforeEach(() => {
    camera.position.set(0, 0.1, 1)
    camera.lookAt(0, 0.1, 0)
    camera.updateMatrixWorld()
    driver = new HandDriver(camera)
    driver.begin(OPENED)
  })

  const middle = (): THREE.Vector3 => {
    const { position, rotation } = driver.pose
    return new THREE.Vector3(...OPENED.toolMiddle)
      .applyQuaternion(new THREE.Quaternion(...rotation))
      .add(new THREE.Vector3(...position))
  }

  it('begins where the tool waits', () => {
    expect(driver.pose.position).toEqual(START.position.map((value) => expect.closeTo(value, 12)))
    expect(driver.pose.rotation).toEqual(START.rotation)
  })

  it('brings the middle of the tool under the pointer, as far from the viewer as it was', () => {
    const before = middle()
    driver.pointTo(new THREE.Vector2(0.2, 0.1))
    const after = middle()
    expect(after.z).toBeCloseTo(before.z, 12)
    const seen = after.clone().project(camera)
    expect(seen.x).toBeCloseTo(0.2, 9)
    expect(seen.y).toBeCloseTo(0.1, 9)
  })

  it('moves along the axes of the picture', () => {
    const before = middle()
    driver.move({ across: 1, up: 0, away: 1, turn: 0 }, 0.1)
    const way = middle().sub(before)
    expect(way.x).toBeGreaterThan(0.01)
    expect(way.z).toBeCloseTo(-way.x, 12)
    expect(way.y).toBeCloseTo(0, 12)
  })

  it('goes neither below the table nor out of reach', () => {
    driver.move({ across: 0, up: -1, away: 0, turn: 0 }, 10)
    expect(middle().y).toBeGreaterThanOrEqual(0)
    driver.move({ across: 1, up: 0, away: 0, turn: 0 }, 100)
    expect(middle().length()).toBeLessThan(0.5)
  })

  it('turns with the camera, so that it always reaches in from the same side', () => {
    driver.pointTo(new THREE.Vector2(0, 0))
    const before = new THREE.Quaternion(...driver.pose.rotation)
    camera.position.set(1, 0.1, 0)
    camera.lookAt(0, 0.1, 0)
    camera.updateMatrixWorld()
    driver.pointTo(new THREE.Vector2(0, 0))
    expect(before.angleTo(new THREE.Quaternion(...driver.pose.rotation))).toBeCloseTo(Math.PI / 2, 1)
  })
})
