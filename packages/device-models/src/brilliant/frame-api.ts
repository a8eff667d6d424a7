import type { BrilliantLens } from './lens.ts'
import type { LuaCallback, LuaMachine } from './lua-machine.ts'
import type { BrilliantMicrophone } from './microphone.ts'

/** The parts of the glasses that programs use. */
export interface Hardware {
  readonly kind: 'Frame' | 'Halo'
  readonly lens: BrilliantLens
  readonly microphone: BrilliantMicrophone
  readonly battery: number
  readonly isCharging: boolean
  readonly isConnected: boolean
  /** Longest data of `frame.bluetooth.send`. */
  readonly maxLength: number
  brightness: number
  /** Functions of the program that the glasses call. */
  readonly callbacks: Map<'receive' | 'tap' | 'single' | 'double' | 'long', LuaCallback>
  /** @throws {Error} while the radio is busy, and without a link */
  send(data: Uint8Array): void
}

/** Defines the table `frame` as far as the program of the phone needs it (Brilliant docs, `frame-sdk-lua.md` and `halo-sdk-lua.md`). */
export function defineFrame(machine: LuaMachine, hardware: Hardware): void {
  const { kind, lens, microphone, callbacks } = hardware
  machine.constant('HARDWARE_VERSION', kind === 'Frame' ? 'Frame' : 'halo')
  machine.define('battery_level', () => hardware.battery)
  machine.define('bluetooth.is_connected', () => hardware.isConnected)
  machine.define('bluetooth.max_length', () => hardware.maxLength)
  machine.define('bluetooth.send', (values) => {
    const data = values.bytes(1)
    if (data.length > hardware.maxLength) throw new Error('string length is greater than max_length()')
    hardware.send(data)
    return undefined
  })
  machine.define('bluetooth.receive_callback', (values) => {
    callbacks.set('receive', values.callback(1))
    return undefined
  })
  machine.define('microphone.start', (values) => {
    microphone.start(values)
    return undefined
  })
  machine.define('microphone.stop', () => {
    microphone.stop()
    return undefined
  })
  machine.define('microphone.read', (values) => microphone.read(values.integer(1)))
  machine.define('display.text', (values) => {
    lens.text(values.text(1), values.integer(2), values.integer(3))
    return undefined
  })
  machine.define('display.bitmap', (values) => {
    const [x, y, width] = [values.integer(1), values.integer(2), values.integer(3)]
    if (x < 1 || x > lens.width) throw new Error(`x_position must be between 1 and ${lens.width} pixels`)
    if (y < 1 || y > lens.height) throw new Error(`y_position must be between 1 and ${lens.height} pixels`)
    if (width < 1 || width > lens.width) throw new Error(`width must be between 1 and ${lens.width} pixels`)
    if (values.integer(4) !== 2) throw new Error('the model draws two colors only')
    lens.bitmap(x, y, width, values.bytes(6))
    return undefined
  })
  machine.define('display.show', () => {
    lens.show()
    return undefined
  })
  if (kind === 'Frame') defineFrameParts(machine, hardware)
  else defineHaloParts(machine, hardware)
}

function defineFrameParts(machine: LuaMachine, hardware: Hardware): void {
  machine.define('display.set_brightness', (values) => {
    const level = values.integer(1)
    if (Math.abs(level) > 2) throw new Error('level must be -2, -1, 0, 1, or 2')
    hardware.brightness = level
    return undefined
  })
  machine.define('imu.tap_callback', (values) => {
    hardware.callbacks.set('tap', values.callback(1))
    return undefined
  })
}

function defineHaloParts(machine: LuaMachine, hardware: Hardware): void {
  const { lens, callbacks } = hardware
  machine.define('battery_charging', () => hardware.isCharging)
  machine.define('display.clear', () => {
    lens.clear()
    return undefined
  })
  machine.define('display.power_save', (values) => {
    lens.isOn = !values.boolean(1)
    return undefined
  })
  machine.define('display.set_font', (values) => {
    const size = values.integer(2)
    if (size < 8 || size % 8 !== 0) throw new Error('invalid font size (must be a multiple of 8)')
    lens.setFont(size)
    return undefined
  })
  machine.define('display.brightness', (values) => {
    const percent = values.integer(1)
    if (percent < 0 || percent > 100) throw new Error('Brightness must be 0-100')
    hardware.brightness = percent
    return undefined
  })
  for (const click of ['single', 'double', 'long'] as const)
    machine.define(`button.${click}`, (values) => {
      callbacks.set(click, values.callback(1))
      return undefined
    })
}
