import { THEMES, type Theme } from '../theme.ts'

const themes: Readonly<Record<Theme, string>> = { system: 'Like the device', light: 'Light', dark: 'Dark' }

/** The texts of the frame of all pages. */
export const layoutTexts = {
  product: 'Glasses Cloud',
  skipToContent: 'Skip to content',
  skipToNavigation: 'Skip to navigation',
  navigation: 'Main',
  more: 'More',
  morePages: 'More pages',
  pages: {
    apps: 'Apps',
    glasses: 'Glasses',
    gallery: 'Gallery',
    developer: 'Developer',
    organizations: 'Organizations',
    account: 'Account',
    administration: 'Administration',
  },
  menu: {
    label: (email: string) => `Menu of ${email}`,
    theme: 'Theme',
    themes: THEMES.map((theme) => ({ theme, label: themes[theme] })),
    firstSteps: 'First steps',
    shortcuts: 'Keyboard shortcuts',
    signOut: 'Sign out',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    setting: 'Use single keys as shortcuts on this device',
    goTo: (page: string) => `Go to ${page}`,
    search: 'Search on the page, or everywhere',
    searchEverywhere: 'Search everywhere',
    help: 'Show this list',
    next: 'then',
  },
  confirmAddress: {
    title: 'Your e-mail address is not confirmed',
    consequence:
      'Until it is, you cannot sign in to web pages of apps, and you do not own apps that were registered for your address.',
    send: 'Send me a link',
    sent: 'A link was sent to your address. Open it in this browser.',
  },
} as const
