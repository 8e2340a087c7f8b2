/** Entry: the shell and the pages that exist. */
import './style/base.css'
import './style/controls.css'
import './style/field.css'
import './style/cloth.css'
import './style/haptics.css'
import { clothPage } from './pages/cloth/cloth-page.js'
import { fieldPage } from './pages/field/field-page.js'
import { hapticsPage } from './pages/haptics/haptics-page.js'
import { startShell } from './shell/shell.js'

startShell(document.body, [fieldPage, clothPage, hapticsPage])
