import type { AudioFormat, Message } from '@glasses-cloud/contract'
import type { PhoneApi } from '../phone-api.ts'
import type { PhotoOutcome } from '../simulated/camera/photo-request.ts'
import type { LedCommand } from '../simulated/led.ts'

/** What the lens shows. The phone core makes pages of the layouts of apps; adapters draw them and break no lines. */
export type Page =
  | TextPage
  /** A picture that fills the picture area of the screen. */
  | { readonly kind: 'picture'; readonly picture: GreyPicture }
  | { readonly kind: 'blank' }

/** A page of text. Every line fits the width of the screen, and there are at most as many lines as the screen has. */
export interface TextPage {
  readonly kind: 'text'
  readonly lines: readonly string[]
  /** Number of this page of a long text, from 1. */
  readonly number: number
  /** Pages of the text. */
  readonly total: number
}

/** A picture of grey pixels. */
export interface GreyPicture {
  readonly width: number
  readonly height: number
  /** Rows from the top, one byte per pixel: 0 is dark (nothing is shown), 255 is bright. */
  readonly pixels: Uint8Array
}

/** What a display can show. */
export interface Screen {
  /** Lines of a page of text. */
  readonly lines: number
  /** Width of a line, in the unit of `measure`: pixels of the device, or columns of a terminal. */
  readonly width: number
  /** Width of a text in one line, by the glyphs of the device: at most the sum of the widths of its parts. */
  measure(text: string): number
  /** The area and the shades of pictures; undefined if the device shows none. */
  readonly picture?: { readonly width: number; readonly height: number; readonly shades: 2 | 16 }
}

/**
 * A pair of glasses, as the phone core uses it. An adapter translates between this interface and the protocol of its
 * device; sessions, layouts, line breaking, permissions and reconnection to the cloud belong to the core.
 */
export interface GlassesAdapter {
  /** The model, with the name of its device profile (`findCapabilities`), for example `Even Realities G1`. */
  readonly model: string
  /** The display; undefined for glasses without one. */
  readonly screen: Screen | undefined
  /** The format of the audio that `AdapterEvents.audio` gives; undefined for glasses without a microphone. */
  readonly audioFormat: AudioFormat | undefined
  /**
   * Connects to the device, and calls `events` from then on. After a loss the adapter reconnects by itself and
   * reports each change of the link.
   * @throws {Error} if the device cannot be reached, with a sentence for the wearer
   */
  connect(events: AdapterEvents): Promise<void>
  /** Ends the link and leaves the device in its own state. No events follow. */
  disconnect(): Promise<void>
  /**
   * Shows a page instead of the present one. While the device is busy only the newest page waits. The phone core shows the
   * present page again when glasses that were lost come back; the adapter gives it to a part that comes back.
   * @returns whether the device has confirmed the page; false if a newer page took its place or the link was lost
   */
  show(page: Page): Promise<boolean>
  /** Turns the microphone on or off; the state is restored after a loss of the link. */
  setMicrophone(on: boolean): void
  /** Sets the brightness of the display in percent, or `auto`. Missing if the device has no such setting. */
  setBrightness?(brightness: number | 'auto'): void
  /** The Wi-Fi of the device; missing if it has none. Reported with the link: a change of it is a change of the link. */
  readonly wifi?: Wifi | undefined
  /** Serves the requests of the cloud that concern the device. Missing: the phone refuses them. */
  serve?(phone: ServedPhone): RequestHandler
}

/** The connection of glasses to a Wi-Fi network. */
export interface Wifi {
  readonly connected: boolean
  readonly ssid?: string
}

/** What an adapter reports to the phone core. */
export interface AdapterEvents {
  /** The link changed, as a whole or in a part. */
  link(link: Link): void
  /** The battery in percent; for glasses with several batteries the lowest. */
  battery(level: number, charging: boolean): void
  /** The wearer touched or pressed the device. */
  gesture(gesture: Gesture): void
  /** The head moved above or below the angle at which the device shows its dashboard. */
  head(position: 'up' | 'down'): void
  /** The glasses were put on or taken off. */
  worn(isWorn: boolean): void
  /** Audio of the microphone, one or more whole frames in `audioFormat`. */
  audio(frames: Uint8Array): void
  /** Something failed and was or will be repeated; a sentence without content of the wearer. */
  problem(error: Error): void
}

/** The link between phone and device. `connected` means that the glasses can be worn with everything they have. */
export interface Link {
  readonly state: 'connecting' | 'connected' | 'impaired' | 'lost'
  /** The state of each peripheral, for devices that have several; `impaired` says that one of them is missing. */
  readonly parts: readonly { readonly name: string; readonly state: 'connecting' | 'connected' | 'lost' }[]
}

/** A gesture on the device, with the names of `touch_event` (glasses-socket.md). */
export interface Gesture {
  readonly name:
    | 'single_tap'
    | 'double_tap'
    | 'triple_tap'
    | 'long_press'
    | 'forward_swipe'
    | 'backward_swipe'
    | 'up_swipe'
    | 'down_swipe'
  /** The temple that was touched, where the device tells. */
  readonly side?: 'left' | 'right'
}

/** What a device needs to serve the requests of the cloud. */
export interface ServedPhone {
  readonly api: PhoneApi
  /** Reports a request, or what became of it. */
  report<Name extends keyof DeviceEvents>(event: Name, ...details: DeviceEvents[Name]): void
  /** Sends a message on the socket; drops it if the connection is closed. */
  send(message: Message): void
  /** Reports a request that could not be answered. */
  fail(error: Error): void
}

/** The part of a device that serves requests of the cloud: photos, video, LED, Wi-Fi. */
export interface RequestHandler {
  /** Handles a request; ignores other messages. */
  handle(message: Message): void
  /** Ends what is in progress. */
  close(): Promise<void>
}

/** What a device did for the cloud. */
export interface DeviceEvents {
  photoRequest: [Message]
  /** A photo request was answered, or a photo of the user's own was taken; ignored requests are not reported. */
  photo: [PhotoOutcome]
  /** The LED applied a command. */
  ledCommand: [LedCommand]
  /** An app requested Wi-Fi setup; `joinWifi` completes it. */
  wifiSetupRequest: [Message]
}
