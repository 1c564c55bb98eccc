/// Skills: things a person wrote down for models to do well, in directories with a `SKILL.md`. A model is told their
/// names
/// and what they are for, and reads the rest when it needs it. Begin with [SkillTool].
@NullMarked
package dev.skein.tools.skill;

import org.jspecify.annotations.NullMarked;
