/** Texts of the invitations to sign up. */
export const invitationsTexts = {
  title: 'Invitations to sign up',
  description: 'With SIGN_UP=invite, people need an invitation to create an account. It is valid for 7 days.',
  submit: 'Invite',
  created: 'Invitation created',
  email: 'E-mail address',
  emailHint: 'Empty: anybody with the link can use it, once.',
  link: 'Link of the invitation, shown once',
  open: 'Open invitations',
  none: { title: 'No open invitations', hint: 'Those that nobody has used yet appear here.' },
  columns: { email: 'For', created: 'Created', expires: 'Expires', actions: 'Actions' },
  anybody: 'Anybody with the link',
  withdraw: {
    button: 'Withdraw',
    label: (email: string) => `Withdraw the invitation for ${email}`,
    question: 'Withdraw this invitation?',
    hint: 'Its link no longer works.',
    done: 'Invitation withdrawn',
  },
} as const
