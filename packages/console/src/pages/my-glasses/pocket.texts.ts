import type { System } from '../../real-glasses/bluetooth.ts'

const DESKTOP =
  'On a computer, this page may be in the background. The connection ends when the computer sleeps, or this tab is closed.'

/** Texts of the pocket mode. */
export const pocketTexts = {
  title: 'In your pocket',
  description:
    'Pocket mode keeps the screen on, makes this page dark and ignores touches, so that the phone can be in your pocket while you wear the glasses. It takes some battery.',
  enter: 'Start pocket mode',
  background: {
    android:
      'Keep this page in front and the screen on. In the background, Chrome on Android stops this page after about a minute, and the glasses lose their connection until you come back.',
    ios: 'Keep this page in front and the screen on: in the background, this page is stopped, and the glasses lose their connection until you come back.',
    macos: DESKTOP,
    windows: DESKTOP,
    chromeos: DESKTOP,
    linux: DESKTOP,
    other:
      'Keep this page in front and the screen on: what a browser does with a page in the background differs.',
  } satisfies Readonly<Record<System, string>>,
  dialog: 'Pocket mode',
  leave: 'Slide to the end to leave pocket mode',
  screen: {
    held: 'The screen stays on.',
    waiting: 'Keeping the screen on…',
    refused:
      'The browser does not keep the screen on, perhaps to save battery. Set the phone to leave the screen on for longer.',
  },
} as const
