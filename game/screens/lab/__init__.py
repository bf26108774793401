"""The lab: agents are trained here, in a process of their own, and watched while they learn."""
