import type { AudioFormat } from '@glasses-cloud/contract'
import { type Font, FRAME_FONT, HALO_FONT } from './fonts.ts'

/** What differs between the glasses of Brilliant Labs. Positions are pixels from 1, as the glasses count them. */
export interface Device {
  /** Name that MentraOS gives to Frame, and in its manner to Halo. */
  readonly model: string
  /** Begins the advertised name, before two digits of the address. */
  readonly namePrefix: string
  readonly font: Font
  /** Where texts are drawn: first line, distance of lines, and how many of which width fit. */
  readonly text: {
    readonly x: number
    readonly y: number
    readonly lineHeight: number
    readonly lines: number
    readonly width: number
  }
  /** Where pictures are drawn; the width is a multiple of 8. */
  readonly picture: {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }
  readonly audioFormat: AudioFormat
  /** Brightness from a percentage, in the units of the device, and the one that it has when it is new. */
  readonly brightness: { readonly of: (percent: number) => number; readonly standard: number }
}

/**
 * Frame: 640 × 400 pixels; text at line distances of the maker's examples, brightness in five steps (Brilliant docs, `frame-sdk-lua.md`).
 * Its microphone is used with 8 kHz and 16 bit, as speech programs of others do.
 */
const FRAME: Device = {
  model: 'Brilliant Frame',
  namePrefix: 'Frame ',
  font: FRAME_FONT,
  text: { x: 1, y: 11, lineHeight: 64, lines: 6, width: 640 },
  picture: { x: 1, y: 1, width: 640, height: 400 },
  audioFormat: { format: 'pcm' },
  brightness: { of: (percent) => Math.round(percent / 25) - 2, standard: 0 },
}

/**
 * Halo: a round display of 256 × 256 pixels, of which text and pictures use a rectangle inside the circle; LC3 of the codec that
 * the cloud decodes; brightness in per cent, 50 by default (Brilliant docs, `halo-sdk-lua.md`; halo-firmware, `lua_display.c`).
 */
const HALO: Device = {
  model: 'Brilliant Halo',
  namePrefix: 'Halo ',
  font: HALO_FONT,
  text: { x: 25, y: 55, lineHeight: 21, lines: 7, width: 208 },
  picture: { x: 25, y: 57, width: 208, height: 144 },
  audioFormat: { format: 'lc3', frameSizeBytes: 20 },
  brightness: { of: Math.round, standard: 50 },
}

const DEVICES: readonly Device[] = [FRAME, HALO]

/** Beginnings of the names of all devices, for choosers. */
export const NAME_PREFIXES = DEVICES.map(({ namePrefix }) => namePrefix)

/** Finds the description of a device by its advertised name. */
export function findDevice(name: string): Device | undefined {
  return DEVICES.find(({ namePrefix }) => name.startsWith(namePrefix))
}
