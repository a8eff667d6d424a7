import './silence-console.ts'
import { readAloud } from '@glasses-cloud/phone/browser'
import { type EvenBridge, EvenG2, SignedInPhone } from '@glasses-cloud/phone/even-hub'
import { cloudUrl } from '../../src/base-path.ts'
import { connectHost } from './host.ts'
import { onResume, onSignOut, showHostMissing, showProblem, showState } from './view.ts'

/** The storage of the Even app: that of its browser is lost between visits. */
function storageOf(bridge: EvenBridge) {
  const key = `glasses-cloud ${cloudUrl()}`
  return {
    load: () => bridge.getLocalStorage(key),
    save: async (text: string) => {
      if (!(await bridge.setLocalStorage(key, text)))
        throw new Error('The Even app did not store the sign-in. It is asked for again at the next start.')
    },
  }
}

async function locate(bridge: EvenBridge) {
  const found = await bridge.getAppLocation()
  if (found === null) return undefined
  const { latitude: lat, longitude: lng, accuracy } = found
  return { lat, lng, ...(accuracy !== undefined && { accuracy }) }
}

const bridge = await connectHost(showHostMissing)
const phone = new SignedInPhone(new EvenG2(bridge), {
  url: cloudUrl(),
  clientName: 'Even G2',
  storage: storageOf(bridge),
  locate: () => locate(bridge),
  ...(readAloud && { speak: readAloud }),
})

let battery: number | undefined
phone.on('state', (state) => showState(state, battery))
phone.on('phone', (wearing) => {
  wearing.on('battery', ({ level }) => {
    battery = level
    showState(phone.state, battery)
  })
  wearing.on('error', ({ message }) => showProblem(message))
  wearing.on('ack', () => showProblem(''))
})
onResume(() => phone.resume())
onSignOut(() => phone.signOut())
// A page that is left turns the microphone off.
window.addEventListener('pagehide', () => void phone.stop())
phone.start()
