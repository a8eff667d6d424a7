/** The texts of the pages for people who are not signed in. */
export const signInTexts = {
  product: 'Glasses Cloud',
  title: 'Sign in',
  submit: 'Sign in',
  forgotPassword: 'Forgot the password?',
  invited: 'Sign in, or create an account, to join the organization that you were invited to.',
  noAccount: 'No account yet?',
  createAccount: 'Create an account',
  closed: 'This cloud accepts no new accounts. Ask its operator for one.',
  backToSignIn: 'Back to sign-in',
  ended: {
    reason: 'You were signed out. Sign in to go on.',
    kept: 'The page stays as it is, with everything that you typed.',
    leave: 'Leave this page',
  },
  passkey: {
    signIn: 'Sign in with a passkey',
    unused: 'No passkey was used. Try again, or sign in with your password.',
    elsewhere: (address: string) => `Open ${address} to use passkeys`,
    elsewhereReason: 'Browsers have no passkeys at an IP address.',
  },
  issuer: (label: string) => `Continue with ${label}`,
  issuerFailures: {
    ACCOUNT_LINK_REQUIRED:
      'An account with your e-mail address exists here. Sign in to it first; then the other one is linked.',
    ACCOUNT_SUSPENDED: 'This account is suspended.',
    OIDC_ACCOUNT_TAKEN: 'The account at the identity provider belongs to another user of this cloud.',
    OIDC_EMAIL_NOT_VERIFIED: 'The identity provider has not verified your e-mail address.',
    OIDC_SIGN_IN_REJECTED: 'The sign-in was not completed. Try again.',
    SIGN_UP_CLOSED: 'This cloud accepts no new accounts. Ask its operator for one.',
  },
  code: {
    label: 'Code',
    description: 'The six digits that your authenticator app shows now, or one of your backup codes.',
    submit: 'Continue',
  },
  strength: {
    levels: { good: 'Good', strong: 'Strong' },
    problems: {
      common: 'One of the most used passwords. Choose another one.',
      address: 'Contains your e-mail address. Choose another one.',
      guessable: 'Easy to guess. Make it longer, with several words that do not belong together.',
    },
  },
  fields: {
    email: 'E-mail address',
    password: 'Password',
    newPassword: 'New password',
    newPasswordHint: 'At least 8 characters',
    show: 'Show',
    hide: 'Hide',
    shown: ' password',
  },
} as const

export const signUpTexts = {
  title: 'Create an account',
  setUpTitle: 'Set up Glasses Cloud',
  setUpHint: 'Create the administrator of this cloud. You can add other people later.',
  submit: 'Create account',
  setUpSubmit: 'Create administrator',
  linkSent: {
    title: 'Confirm your address',
    text: 'Follow the link in the message that was sent to you, then sign in.',
  },
  name: 'Name (optional)',
  setUpCode: {
    label: 'Set-up code',
    description: 'The server printed it in its log when it started, with a link that contains it.',
  },
  invitation: {
    label: 'Invitation',
    description: 'This cloud needs an invitation. Paste the code that you received.',
  },
  haveAccount: 'Already have an account?',
  signIn: 'Sign in',
} as const

export const resetPasswordTexts = {
  title: 'Reset your password',
  hint: 'A link to choose a new password is sent to your address.',
  send: 'Send the link',
  sent: {
    title: 'Look into your mail',
    text: 'If the address has an account, a link was sent to it. It is valid for an hour.',
  },
  set: 'Set the password',
  unconfirmed:
    'If you never confirmed your address, the account starts empty, unless this browser is signed in to it or created it.',
  done: {
    title: 'Your password was changed',
    text: 'You were signed out everywhere. Sign in with the new password.',
  },
} as const

export const verifyEmailTexts = {
  title: 'Confirm your address',
  hint: 'This shows that messages to the address reach you.',
  confirm: 'Confirm',
  claim: 'Start with a new account',
  send: 'Send a new link',
  done: {
    confirmed: 'Your address is confirmed. You can sign in now.',
    claimed: 'Your account is ready. Sign in with the new password.',
    sent: 'If the address has an unconfirmed account, a link was sent to it.',
  },
  otherBrowser: {
    title: 'The account was created in another browser',
    wasYou: 'If it was you, open the link in the browser where you created it.',
    wasNotYou:
      'If it was not you, somebody else entered your address. Set a password of your own: everything that was made with the account is deleted.',
  },
} as const

export const deviceTexts = {
  title: 'Sign in on a device',
  done: { approve: 'The device is signed in', deny: 'The sign-in was rejected' },
  toConsole: 'Go to the console',
  code: { label: 'Code', description: 'The code that the device shows.', submit: 'Continue' },
  question: (device: string, email: string) => `Sign in ${device} as ${email}?`,
  unnamed: 'this device',
  warning: 'Continue only if you started this yourself: the device gets access to your account.',
  approve: 'Sign in the device',
  deny: 'Reject',
  tooOld: {
    title: 'Sign in again first',
    text: 'You signed in more than an hour ago. A device gets access only shortly after a sign-in.',
    signIn: 'Sign in again',
  },
} as const
