/** Texts of the way to the first app. */
export const firstAppTexts = {
  intro: {
    title: 'Your first app',
    description: 'From nothing to your own words on the lens.',
    way: 'How it goes',
    steps: [
      'Create the app here; it gets a name and a key.',
      'Copy the code of a working app, and run it on your computer.',
      'Test the connection between this cloud and the app.',
      'Put on the simulated glasses, start the app, speak, and read your words on the lens.',
    ],
    create: 'Create my first app',
    own: {
      title: 'Or continue with an app of yours',
      description: 'The code is filled in with its name and address.',
      all: 'All your apps',
    },
  },
  unreachable: {
    title: 'This cloud cannot reach your computer at the address of the app',
    hint: (publicUrl: string) =>
      `${publicUrl} is an address that works on one computer only. Run the app on a server that the cloud reaches, or open a tunnel to your computer, and change the address of the app server on the page Edit.`,
  },
  terminal: 'Terminal',
  makeKey: {
    hint: 'A key is shown only when it is made. Paste yours, or make a new one.',
    button: 'Make a new key',
  },
  test: 'Test connection',
  openStore: (name: string) => `Open ${name} in the store`,
  openGlasses: 'Open the glasses',
  log: 'Live log',
  steps: {
    install: {
      title: '1. Make a folder for the app',
      hint: 'You need Node 24 or newer (nodejs.org). In an empty folder, run:',
    },
    code: {
      title: '2. Save the code',
      hint: 'Save this as app.mts in the folder:',
    },
    key: {
      title: '3. Save the key',
      hint: 'Save this as .env in the folder. Give it to nobody, and keep it out of version control:',
    },
    run: { title: '4. Run the app', hint: 'Leave it running, and go on here:' },
    test: {
      title: '5. Test the connection',
      hint: 'All hops up to the webhook should work; a remark about TLS or the signature is fine for now. The socket and the key are tested while you wear glasses.',
    },
    wear: {
      title: '6. Wear it',
      hint: 'Install the app in the store. Then open the glasses and put them on; they stay on while you use other pages of the console. Start the app there, type what you say or use the microphone, and read it on the lens.',
    },
    change: {
      title: '7. Make it yours',
      hint: 'Change the words in app.mts, stop the app with Ctrl+C, run it again, and start it again on the glasses. The live log shows everything that happens between the cloud and the app. Before you publish it, let it verify the signature of the cloud, as the guide for apps describes.',
    },
  },
} as const
