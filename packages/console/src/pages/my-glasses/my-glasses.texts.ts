const ARMS: Readonly<Record<string, string>> = { left: 'left arm', right: 'right arm' }

const armName = (arm: string): string => ARMS[arm] ?? arm
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Texts of the page of real glasses. */
export const myGlassesTexts = {
  title: 'My glasses',
  glasses: 'Glasses',
  description:
    'Even Realities G1, with this browser as their phone. Until now, this was proved against a model of the glasses only.',
  experimental: 'Experimental',
  connection: {
    disconnected: 'Not connected',
    connecting: 'Connecting…',
    connected: 'Connected',
    reconnecting: 'The cloud is out of reach, reconnecting…',
  },
  wasReplaced: {
    title: 'You put on other glasses',
    text: 'They took over your session: a tab, a phone or other glasses that connected after these. Put these on again to take it back.',
  },
  takeOff: 'Disconnect',
  choose: {
    title: 'Choose both arms',
    description:
      'The arms of your glasses are two Bluetooth devices, and the browser asks for each. Take the glasses out of the case, open them, and close the app of their maker: an arm has one connection at a time.',
    first: 'Choose the first arm',
    firstExplained:
      'The list shows names like Even G1_12_L_4A3B2C: the number belongs to your pair, L is the left arm and R the right one. Choose either arm.',
    second: 'Choose the other arm',
    secondExplained: (name: string) =>
      `${name} is chosen. The list now shows only the other arm of this pair; once it is chosen, the glasses are connected.`,
    again: 'Choose another pair',
    putOn: (pair: string) => `Connect ${pair}`,
    known: 'Chosen before',
    knownExplained: 'Both arms were chosen, and no list is needed. Connecting takes some seconds.',
    closed: {
      title: 'No arm was chosen',
      text: 'If your glasses were not listed, this may help:',
    },
    pairingFailed: { title: 'The glasses were not reached', text: 'This may help:' },
  },
  lens: {
    label: 'Lens',
    page: (number: number, total: number) =>
      `Page ${number} of ${total}: tap the right temple for the next one`,
    empty: 'The lens is empty. Start an app to see something.',
    picture: 'A picture',
  },
  status: {
    title: 'State',
    arm: (arm: string) => capitalized(armName(arm)),
    armStates: { connected: 'connected', connecting: 'connecting…', lost: 'not connected' },
    battery: 'Battery',
    percent: (value: number) => `${value} %`,
    firmware: 'Firmware',
    unknown: 'not known yet',
    worn: 'Worn',
    wornStates: { yes: 'yes', no: 'no' },
    microphone: 'Microphone',
    microphoneStates: {
      off: 'off: no app listens',
      on: 'on: an app listens',
      lost: 'off: it is in the right arm, which is not connected',
      words: 'off: this cloud does not recognize speech (it needs a speech model, or STT_PROVIDERS)',
    },
    changes: 'What happened',
    change: (arm: string, state: 'connected' | 'lost') =>
      state === 'connected'
        ? `The ${armName(arm)} is connected.`
        : `The ${armName(arm)} lost its connection. It is being connected again.`,
  },
  link: {
    impaired: {
      title: (arm: string) => `The ${armName(arm)} is not connected`,
      left: 'The right arm goes on showing and listening.',
      right:
        'The left arm goes on showing. The microphone is in the right arm, so apps hear nothing meanwhile.',
      mending:
        'It is connected again by itself, without a new choice: keep the glasses near and out of the case.',
    },
    lost: {
      title: 'Neither arm is connected',
      text: 'Both are connected again by themselves. Keep the glasses near, open and out of the case.',
    },
  },
  brightness: {
    title: 'Brightness',
    label: 'Brightness of the lens',
    unchanged: 'as set on the glasses',
    automatic: 'automatic',
    auto: 'Let the glasses adjust it',
  },
  diagnostics: {
    title: 'Diagnostics',
    description:
      'A file for whoever runs this cloud, when something does not work. It has the time, the first byte and the length of what this page and the glasses sent each other, the firmware and the name of this browser. It has no words, no sound, no pictures, and neither your name nor the serial numbers of the arms.',
    save: 'Save the diagnostics',
    none: 'Connect the glasses once to have some.',
    browser: (userAgent: string) => `browser: ${userAgent}`,
  },
} as const
