import { formatList } from '../../format.ts'

/** Texts of the page that leads to worn glasses. */
export const connectTexts = {
  title: 'Connect your glasses',
  glasses: 'Glasses',
  description: 'Choose what you have. Each step shows by itself when it is done.',
  question: 'What do you have?',
  answers: {
    g2: { title: 'Even G2', text: 'through the Even app of a phone' },
    g1: { title: 'Even G1', text: 'over Bluetooth, in Chrome or Edge' },
    frame: { title: 'Brilliant Frame', text: 'over Bluetooth, in Chrome or Edge' },
    halo: { title: 'Brilliant Halo', text: 'over Bluetooth, in Chrome or Edge' },
    vendor: { title: 'Other glasses', text: 'with the app of their maker' },
    build: { title: 'An own build', text: 'of the open phone app' },
    none: { title: 'No glasses', text: 'simulated ones, in this browser' },
  },
  experimental:
    'Experimental: proved against a simulator or a model of the glasses, not with real ones. Reports of wearers are welcome.',
  steps: 'Steps',
  states: { done: 'Done', waiting: 'Waiting', problem: 'Attention', open: 'Not checked' },
  address: {
    title: 'The address of this cloud',
    https: (address: string) => `Phones reach this cloud at ${address}, with HTTPS.`,
    plain: (address: string) =>
      `Phones reach this cloud at ${address}, without encryption. That may do in a home network, but browsers allow Bluetooth and microphones with HTTPS only. The operator of this cloud switches it on with the setting TLS or PUBLIC_URL: see docs/https.md of Glasses Cloud.`,
    loopback: {
      title: 'Your phone cannot reach this address',
      text: 'It works on this computer only. Start the cloud with HOST=0.0.0.0 and open the console at the network address of this computer, or set PUBLIC_URL to the address behind your proxy. Phones need HTTPS for most things: see docs/https.md of Glasses Cloud.',
    },
  },
  authority: {
    title: 'Let your devices trust this cloud',
    description:
      'The certificate of this cloud is from an authority of its own, which each phone and computer must know once.',
    address: 'Page to open on the device',
    fingerprint: 'SHA-256 fingerprint of the authority',
    download: 'Download the authority',
    steps: [
      'Open the page on the device and download the authority. The page is not encrypted yet: compare the fingerprint that the device shows with the one here.',
      'Android: Settings, Security, More security settings, Encryption & credentials, Install a certificate, CA certificate.',
      'iPhone and iPad: Settings, Profile downloaded, Install; then Settings, General, About, Certificate Trust Settings, and switch it on.',
    ],
  },
  reach: {
    title: 'Your phone reaches it',
    qrCode: 'QR code with the page that tests the connection',
    address: 'Page that tests the connection',
    waiting: 'Scan this code with the camera of the phone. The page that opens needs no sign-in.',
    reached: 'A device has opened the page of the code: it reaches this cloud.',
    ended: 'The code has expired.',
    renew: 'Show a new code',
    fails:
      'If the page does not open, the phone is in another network, a firewall is between, or it does not trust the certificate.',
  },
  even: {
    title: 'Scan the code in the Even app',
    text: 'Scan it as for apps in development. A page opens on the phone, and the lens shows a code for the next step.',
    qrCode: 'QR code with the page for the Even app',
    address: 'Page for the Even app',
  },
  signIn: {
    title: 'Sign in',
    device: 'Enter the code that the lens shows. The next time, the glasses sign in by themselves.',
    app: 'Sign in with the e-mail address that you use here.',
    done: (name: string) => `${name} signed in as you.`,
    already: 'The phone has signed in.',
    approved: 'The code was approved. The phone signs in now…',
    denied: 'The sign-in was rejected. If you meant another device, enter its code.',
    unknown: 'A device',
  },
  bluetooth: {
    title: 'A browser with Bluetooth',
    checking: 'Looking for Bluetooth…',
    done: 'This browser lets pages use Bluetooth. Go on here, or on another device, below.',
    other:
      'Or open this page on a device that can, such as a phone with Android: the next two steps test it.',
  },
  mine: {
    title: 'Choose your glasses',
    text: 'The page My glasses opens the list of the browser, connects, and shows what the lens shows.',
    action: 'Open My glasses',
  },
  otherDevice: {
    title: 'With a phone or another computer',
    description: 'The page that the code opens leads on from there.',
  },
  build: {
    title: 'Build the app',
    text: 'Until July 2026 the phone app of Mentra spoke the protocol of this cloud. A build of such a version wears Even G1, Vuzix Z100, Mentra Mach 1 and Mentra Live; docs/own-build.md of Glasses Cloud describes it. These variables of the build have the address of this cloud:',
    pair: 'Pair the glasses in the app.',
  },
  vendor: {
    title: 'What is possible today',
    text: 'The present phone app of Mentra speaks another protocol, so it needs a mini app of this cloud, which it installs by a code; this is experimental. The apps of other makers do not reach this cloud. There are further ways for glasses of the following kinds:',
    bridge: 'Show the code for the Mentra app',
    ways: [
      'Even G2 by the app of their maker, and Even G1, Brilliant Frame and Halo in a browser: choose them above.',
      'Vuzix Z100, Mentra Mach 1 and Mentra Live by an own build of the open phone app: choose it above.',
    ],
    otherwise: 'For all others, simulated glasses show what apps do.',
    action: 'Wear simulated glasses',
  },
  simulated: {
    title: 'Put on simulated glasses',
    text: 'They connect over the same socket as a phone, and stay on while you use other pages of the console.',
    action: 'Wear simulated glasses',
  },
  connected: {
    title: 'Glasses connected',
    waiting: 'Nothing has connected yet. This page says so the moment it happens.',
    phoneOnly: 'The phone is connected. Its glasses have not reported yet.',
    done: (model: string) => `${model} are connected, and their first message has arrived.`,
  },
  words: {
    title: 'Words on the lens',
    before: 'Once glasses are connected, start an app: its words appear on the lens.',
    waiting: 'Start an app below: its words appear on the lens.',
    done: (apps: readonly string[]) => `${formatList(apps)} runs. Look at the lens.`,
  },
} as const
