import type { Feature } from '../../feature.ts'
import { postButtonPress } from './button-press.ts'
import type { HardwareEndpointDeps } from './deps.ts'
import { getWearerPhoto } from './wearer-photo.ts'

/** Endpoints for reports of glasses (glasses-socket.md §3.9). */
export function createHardware(deps: HardwareEndpointDeps): Feature {
  return { name: 'hardware', endpoints: [postButtonPress(deps), getWearerPhoto(deps)] }
}
