const PARTS: Readonly<Record<string, string>> = { left: 'left arm', right: 'right arm' }

const partName = (part: string): string => PARTS[part] ?? part
const isPlural = (part: string): boolean => part === 'glasses'
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Texts of the page of real glasses. */
export const myGlassesTexts = {
  title: 'My glasses',
  glasses: 'Glasses',
  description:
    'Even Realities G1, Brilliant Frame or Halo, with this browser as their phone. Until now, this was proved against models of the glasses only.',
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
  known: {
    title: 'Chosen before',
    description: 'These glasses were chosen, and no list is needed. Connecting takes some seconds.',
    putOn: (name: string) => `Connect ${name}`,
  },
  pairingFailed: { title: 'The glasses were not reached', text: 'This may help:' },
  closed: {
    title: { 'even-g1': 'No arm was chosen', brilliant: 'No glasses were chosen' },
    text: 'If your glasses were not listed, this may help:',
  },
  chooseBrilliant: {
    title: 'Brilliant Frame or Halo',
    description:
      'Take the glasses off their charger and hold them near. The list shows names like Frame 4F. If the system asks whether to pair, accept.',
    action: 'Choose a Frame or Halo',
  },
  choose: {
    title: 'Even G1: choose both arms',
    description:
      'The arms of your glasses are two Bluetooth devices, and the browser asks for each. Take the glasses out of the case, open them, and close the app of their maker: an arm has one connection at a time.',
    first: 'Choose the first arm',
    firstExplained:
      'The list shows names like Even G1_12_L_4A3B2C: the number belongs to your pair, L is the left arm and R the right one. Choose either arm.',
    second: 'Choose the other arm',
    secondExplained: (name: string) =>
      `${name} is chosen. The list now shows only the other arm of this pair; once it is chosen, the glasses are connected.`,
  },
  lens: {
    label: 'Lens',
    page: (number: number, total: number) => `Page ${number} of ${total}`,
    tap: ': tap the right temple for the next one',
    next: 'Next page',
    previous: 'Previous page',
    empty: 'The lens is empty. Start an app to see something.',
    picture: 'A picture',
  },
  status: {
    title: 'State',
    part: (part: string) => capitalized(partName(part)),
    partStates: { connected: 'connected', connecting: 'connecting…', lost: 'not connected' },
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
      away: 'off: the glasses are not connected',
      words: 'off: this cloud does not recognize speech (it needs a speech model, or STT_PROVIDERS)',
    },
    changes: 'What happened',
    change: (part: string, state: 'connected' | 'lost') => {
      const name = partName(part)
      if (state === 'connected') return `The ${name} ${isPlural(part) ? 'are' : 'is'} connected.`
      return isPlural(part)
        ? `The ${name} lost their connection. They are being connected again.`
        : `The ${name} lost its connection. It is being connected again.`
    },
  },
  link: {
    impaired: {
      title: (arm: string) => `The ${partName(arm)} is not connected`,
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
    lostWhole: {
      title: 'The glasses are not connected',
      text: 'They are connected again by themselves, without a new choice. Keep them near and off their charger.',
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
      'A file for whoever runs this cloud, when something does not work. It has the time, the kind and the length of what this page and the glasses sent each other, the firmware and the name of this browser. It has no words, no sound, no pictures, and neither your name nor serial numbers.',
    save: 'Save the diagnostics',
    none: 'Connect the glasses once to have some.',
    browser: (userAgent: string) => `browser: ${userAgent}`,
  },
} as const
