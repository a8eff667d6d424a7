import { type AdapterEvents, type GlassesAdapter, Phone } from '@glasses-cloud/phone/bare'

/** A phone of a bare JavaScript engine: its settings are in `localStorage`, and its log says what the glasses show. */

const setting = (name: string) => localStorage.getItem(name) ?? ''
const report = (what: string, value: unknown) => console.log(JSON.stringify([what, value]))

const FRAME = new TextEncoder().encode('sound of 20 ms .'.repeat(40))

let events: AdapterEvents | undefined
let microphone: ReturnType<typeof setInterval> | undefined

const glasses: GlassesAdapter = {
  model: 'Even Realities G1',
  screen: { width: 20, lines: 3, measure: (text) => text.length },
  audioFormat: { format: 'pcm' },
  async connect(told) {
    events = told
    events.link({ state: 'connected', parts: [] })
    events.battery(80, false)
  },
  async disconnect() {
    clearInterval(microphone)
  },
  async show(page) {
    report('page', page.kind === 'text' ? page.lines.join('\n') : page.kind)
    return true
  },
  setMicrophone(isOn) {
    clearInterval(microphone)
    if (isOn) microphone = setInterval(() => events?.audio(FRAME), 20)
  },
}

export const phone = new Phone(glasses, {
  url: setting('url'),
  token: setting('token'),
  tokenIn: 'query',
  playSound: (url, { signal }) => {
    report('sound', url)
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
})
phone.on('error', ({ message }) => report('error', message))
phone.on('audioPlayed', ({ error }) => report('played', error))
phone.on('microphone', ({ requiredData }) => {
  if (requiredData.includes('transcription'))
    phone.send({ type: 'local_transcription', text: setting('words'), isFinal: true, language: 'en-US' })
})
