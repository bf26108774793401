"""What `ai.trainers` writes beside a model."""

from pathlib import Path

from ai.trainers import Log


def test_the_curve_of_a_killed_run_goes_on_at_its_checkpoint(tmp_path: Path) -> None:
    model, names = tmp_path / "some.safetensors", ["games", "loss"]
    with Log(model, names, 0.0) as log:
        for second in range(1, 6):
            log.write(second + 0.004, {"games": second * 10, "loss": 0.5})
    with (tmp_path / "some.csv").open("a") as file:
        file.write("5.5,5")  # killed while it wrote
    with Log(model, names, 3.004) as log:
        log.write(3.5, {"games": 31, "loss": 0.25})
    found = (tmp_path / "some.csv").read_text().split()
    print(found)
    assert found == ["seconds,games,loss", "1.0,10,0.5", "2.0,20,0.5", "3.0,30,0.5", "3.5,31,0.25"]
    with Log(model, ["games"], 3.5):
        pass
    assert (tmp_path / "some.csv").read_text().split() == ["seconds,games"]
