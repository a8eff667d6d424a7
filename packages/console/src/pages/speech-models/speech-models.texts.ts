import { plural } from '../../format.ts'

/** Texts of the speech models, and of the offer to install one. */
export const speechModelsTexts = {
  installed: {
    title: 'Installed',
    description: 'The cloud recognizes speech and speaks with these models, without another service.',
    none: { title: 'No speech models', hint: 'Install one below to recognize speech on this cloud.' },
  },
  available: {
    title: 'Available',
    description:
      'Models of other publishers, each with a license of its own. They are downloaded from the publisher, and compared with their hashes where those are known.',
  },
  address: {
    title: 'Install from an address',
    description:
      'The address of a manifest, model.json, with the files beside it. A machine without internet installs files with the command “models add”.',
    label: 'Address of the manifest',
    submit: 'Install',
  },
  columns: {
    name: 'Model',
    languages: 'Languages',
    size: 'Size',
    memory: 'Memory',
    license: 'License',
    state: 'State',
    actions: 'Actions',
  },
  kinds: {
    'streaming-recognizer': 'Recognizes words while they are spoken',
    recognizer: 'Recognizes sentences after they are spoken',
    voice: 'Speaks',
    'keyword-spotter': 'Recognizes keywords',
    punctuation: 'Sets punctuation marks',
    speaker: 'Tells speakers apart',
  },
  states: { available: 'Not installed', installing: 'Installing', failed: 'Failed', installed: 'Installed' },
  progress: (received: string, total: string | undefined) =>
    total === undefined ? `Installing: ${received}` : `Installing: ${received} of ${total}`,
  unknown: 'Unknown',
  about: (memory: string) => `about ${memory}`,
  languages: (count: number) => plural(count, { one: '1 language', other: `${count} languages` }),
  facts: (name: string) => `Facts about ${name}`,
  recommended: 'Recommended',
  publisher: 'Publisher',
  newTab: '(opens in a new tab)',
  install: {
    button: 'Install',
    label: (name: string) => `Install ${name}`,
    started: 'The installation has started',
  },
  repeat: { button: 'Try again', label: (name: string) => `Try to install ${name} again` },
  cancel: {
    button: 'Cancel',
    label: (name: string) => `Cancel the installation of ${name}`,
    done: 'Installation canceled',
  },
  forget: {
    button: 'Forget',
    label: (name: string) => `Forget the installation of ${name}`,
    done: 'Forgotten',
  },
  remove: {
    button: 'Remove',
    label: (name: string) => `Remove ${name}`,
    question: (name: string) => `Remove ${name}?`,
    hint: 'Sessions that use it stop recognizing or speaking. It can be installed again.',
    done: 'Model removed',
  },
  offer: {
    title: 'Recognize speech on this cloud',
    description:
      'Captions and other apps then need no phone that recognizes speech, and no audio leaves this cloud. Everything else works without.',
    what: (name: string, size: string | undefined) => (size === undefined ? name : `${name} (${size})`),
    license: (name: string) => `License: ${name}`,
    all: 'All speech models',
    failed: 'The installation failed',
  },
} as const
