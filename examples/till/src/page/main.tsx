import { createRoot } from 'react-dom/client'
import { Till } from './Till.tsx'
import './till.css'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(<Till />)
