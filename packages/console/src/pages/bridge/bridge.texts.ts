/** Texts of the page with the code for the Mentra app. */
export const bridgeTexts = {
  title: 'Glasses through the Mentra app',
  glasses: 'Glasses',
  experimental: 'Experimental',
  description:
    'The Mentra app 3 has its own cloud. This cloud is a mini app in it: it wears the glasses that are paired there, and shows the apps of this cloud on them.',
  unproved: {
    title: 'Nobody has tried this with a phone yet',
    text: 'It was made from the public source of the Mentra app and proved against a model of it. That app may have changed, or refuse mini apps from elsewhere. Please report what you see.',
  },
  code: 'Code',
  qrCode: 'QR code that installs the mini app',
  address: 'Address of the mini app',
  hash: 'SHA-256 of the archive',
  version: (version: string) => `Version ${version}`,
  stepsTitle: 'Steps',
  steps: [
    'In the Mentra app, pair your glasses. Open Settings and tap the version ten times, then open Debug Settings, Miniapp Developer Settings.',
    'Scan the code, or type the address. The mini app Glasses Cloud appears on the home screen of the Mentra app.',
    'Start it there. The lens shows a code: open /device of this console, and enter it.',
    'Start an app in the console: its words appear on the lens. The next time the mini app signs in by itself.',
  ],
  limits: {
    title: 'What it can do',
    text: 'Text, touches, looking up, battery, the microphone, sounds and the location of the phone. Pictures, the camera, buttons and the brightness are not passed on. Only one mini app has the lens: others of the Mentra app take turns with it.',
  },
} as const
