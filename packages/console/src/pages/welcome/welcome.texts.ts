/** Texts of the first steps. */
export const welcomeTexts = {
  title: 'Welcome',
  description: 'Your cloud is running. What would you like to do first?',
  simulator: {
    title: 'Try it in the browser',
    text: 'Wear simulated glasses: speak or type, and read on the lens what an app makes of it. You need no hardware.',
    action: 'Wear simulated glasses',
  },
  real: {
    title: 'Wear your Even G1',
    text: 'Connect both arms with Chrome or Edge over Bluetooth: this browser becomes the phone of your glasses. Experimental.',
    action: 'Connect my glasses',
  },
  app: {
    title: 'Make an app',
    text: 'Create an app, get its key, and start its server with a few lines of TypeScript.',
    action: 'Make an app',
  },
  store: {
    title: 'Look at the apps',
    text: 'See the apps of this cloud, and install some.',
    action: 'Open the store',
  },
  phone: {
    title: 'Connect a phone',
    description: 'Glasses connect to this cloud through the app on your phone.',
    address: 'Address of this cloud',
    qrCode: 'QR code with the address of this cloud',
    steps: [
      'In the app on your phone, open the developer settings and enter this address as the backend URL. The QR code contains the address as well: scan it with the camera of the phone and copy it.',
      'The app tests the address and connects again. Sign in with the e-mail address that you use here.',
      'Pair your glasses. The store shows which glasses are connected.',
    ],
    loopback: {
      title: 'Your phone cannot reach this address',
      text: 'It works on this computer only. Start the cloud with HOST=0.0.0.0 and open the console at the network address of this computer, or set PUBLIC_URL to the address behind your proxy.',
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
    signIn: {
      title: 'Let phones sign in',
      text: 'Phones sign in with a token of their identity provider. Name the provider in OIDC_ISSUERS or OIDC_ISSUER, or set its signing key, before you connect the first one.',
    },
  },
  evenG2: {
    title: 'Connect Even G2',
    description:
      'Even Realities G2 connect through the app of their maker. Experimental: it was proved in the simulator of the maker.',
    address: 'Page for the Even app',
    qrCode: 'QR code with the page for the Even app',
    steps: [
      'Scan this code in the Even app, as it does for apps in development. The lens shows a code.',
      'In any browser, open the page that the lens names, sign in and approve the code.',
      'Start an app: its words appear on the lens. The next time the glasses sign in by themselves.',
    ],
  },
  bridge: {
    title: 'Connect glasses through the Mentra app',
    description:
      'For Even G1 and other glasses that the Mentra app 3 has paired. Experimental: it was proved against a model of that app only.',
    action: 'Show the code',
  },
} as const
