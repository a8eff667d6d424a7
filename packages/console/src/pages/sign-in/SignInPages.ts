/** The pages for signing in, which a browser loads together. */
export { DeviceSignIn } from './DeviceSignIn.tsx'
export { ResetPassword } from './ResetPassword.tsx'
export { SignIn } from './SignIn.tsx'
export { SignUp } from './SignUp.tsx'
export { VerifyEmail } from './VerifyEmail.tsx'
