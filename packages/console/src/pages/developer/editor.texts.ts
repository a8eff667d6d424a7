import { formatList } from '../../format.ts'

/** Texts of the pages that create and edit an app. */
export const editorTexts = {
  create: {
    title: 'Create an app',
    description: 'An app is a server of yours, which the cloud calls when a wearer starts it.',
    submit: 'Create the app',
    ways: 'Ways to create an app',
    form: 'Form',
    file: 'Manifest file',
    owner: 'Owner',
    you: 'You',
    first: {
      name: 'My first app',
      description: 'Shows what you say.',
      permission: 'To show what you say',
    },
  },
  edit: {
    changed: (fields: readonly string[]) => `Changed and not saved: ${formatList(fields)}`,
    unchanged: 'Nothing was changed.',
    submit: 'Save changes',
    saved: 'App saved',
    discard: 'Discard changes',
    leave: {
      question: 'Leave without saving?',
      hint: 'What you changed is lost.',
      stay: 'Stay',
      leave: 'Leave',
    },
  },
  images: {
    title: 'Images',
    description:
      'PNG, JPEG or WebP. A logo has 64 to 2048 pixels and 1 MB, a screenshot up to 4096 pixels and 4 MB.',
    dropLogo: 'Drop the logo here, or choose a file.',
    chooseLogo: 'Choose a logo',
    logoChanged: 'Logo changed',
    dropScreenshot: (left: number) =>
      left === 1 ? 'One more screenshot fits.' : `Drop a screenshot here, or choose a file; ${left} fit.`,
    chooseScreenshot: 'Choose a screenshot',
    screenshotAdded: 'Screenshot added',
    screenshot: (number: number) => `Screenshot ${number}`,
    delete: {
      button: 'Delete',
      label: (number: number) => `Delete screenshot ${number}`,
      question: 'Delete this screenshot?',
      hint: 'This cannot be undone.',
    },
  },
} as const
