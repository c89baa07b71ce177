# The course in a container: JupyterLab on the notebooks.
#
#   docker build -t attention .
#   docker run --rm -p 8888:8888 attention                    # on the CPU
#   docker run --rm -p 8888:8888 --gpus all attention         # on a GPU
#
# The wheel of torch that pip finds by itself computes on both. One for CPUs alone is a tenth of its
# size; it comes from an index of PyTorch's own, which their page "Get Started" names:
#
#   docker build --build-arg TORCH_INDEX=ADDRESS -t attention .
#
# For JupyterHub: `c.DockerSpawner.image = "attention"` and `c.DockerSpawner.cmd = "jupyterhub-singleuser"`,
# or `singleuser.image` and `singleuser.cmd` in Zero to JupyterHub.
FROM python:3.13-slim

ARG TORCH_INDEX=""
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 jovyan \
    && install -d -o jovyan /home/jovyan/course

WORKDIR /home/jovyan/course
COPY requirements.txt .
RUN pip install --no-cache-dir ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} -r requirements.txt \
    && pip install --no-cache-dir jupyterhub==6.1.1

COPY --chown=jovyan . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation -e .

USER jovyan
EXPOSE 8888
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser", "--notebook-dir=notebooks"]
