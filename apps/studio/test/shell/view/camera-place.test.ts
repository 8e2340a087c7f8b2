import { describe, expect, it } from 'vitest'
import { readCameraPlace, writeCameraPlace } from '../../../src/shell/view/camera-place.js'

describe('the place of a camera in the address', () => {
  it('comes back as it was written, aside or not', () => {
    const place = { azimuth: -132.5, elevation: 12.4, distance: 1.875, aside: [0, 0, 0] } as const
    expect(writeCameraPlace(place)).toBe('-132.5,12.4,1.875')
    expect(readCameraPlace(writeCameraPlace(place))).toEqual(place)
    const aside = { ...place, aside: [0.1, -0.25, 0] } as const
    expect(readCameraPlace(writeCameraPlace(aside))).toEqual(aside)
  })

  it.each(['', '1,2', '1,2,x', '10,95,1', '10,20,0', '10,20,-1'])('is none where the address says %j', (text) => {
    expect(readCameraPlace(text)).toBeUndefined()
  })
})
