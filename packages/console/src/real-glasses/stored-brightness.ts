import { api, unwrap } from '../api/client.ts'

/** Brightness of a lens in percent, or as the glasses adjust it. */
export type Brightness = number | 'auto'

type Settings = Readonly<Record<string, unknown>>

/** The brightness among the settings of the user's phone; undefined if none was set. */
function readBrightness({ brightness, auto_brightness: isAutomatic }: Settings): Brightness | undefined {
  if (isAutomatic === true) return 'auto'
  return typeof brightness === 'number' ? brightness : undefined
}

/** The settings that store a brightness. The level remains while the glasses adjust it. */
export function brightnessSettings(brightness: Brightness): Settings {
  return brightness === 'auto' ? { auto_brightness: true } : { brightness, auto_brightness: false }
}

/** Loads the brightness that the user has set; undefined if there is none, or if it cannot be loaded. */
export async function loadBrightness(): Promise<Brightness | undefined> {
  const loaded = await unwrap(api.GET('/api/client/user/settings')).catch(() => undefined)
  return loaded && readBrightness(loaded.data.settings)
}
