/** Entry: the shell and the pages that exist. */
import './style/base.css'
import './style/controls.css'
import './style/field.css'
import { fieldPage } from './pages/field/field-page.js'
import { startShell } from './shell/shell.js'

startShell(document.body, [fieldPage])
