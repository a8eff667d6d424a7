import { postButtonPress } from './button-press.ts'
import { getWearerPhoto } from './wearer-photo.ts'

/** What glasses report by REST (glasses socket protocol, 3.9). */
export const hardwareEndpoints = [postButtonPress, getWearerPhoto]
